import { bodyParser } from '@koa/bodyparser';
import Router from '@koa/router';
import { createPosternServerClient, getSignUp, koaGuard } from '@postern/sdk-node';

const postern = createPosternServerClient({
  baseUrl: process.env.POSTERN_URL,
  projectId: process.env.POSTERN_PROJECT_ID,
  apiKey: process.env.POSTERN_SERVER_KEY,
});

export const router = new Router();
router.post('/sign-up', bodyParser(), koaGuard(postern), (context) => {
  context.body = `Welcome, ${getSignUp(context).email}!`;
});
