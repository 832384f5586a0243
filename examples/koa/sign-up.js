import { createPosternServerClient, getSignUp, koaGuard } from 'postern~sdk-node';
import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';

const postern = createPosternServerClient();

export const router = new Router();
router.post('/sign-up', bodyParser(), koaGuard(postern), (context) => {
  context.type = 'text';
  context.body = `Welcome, ${getSignUp(context).email}!`;
});
