import { createPosternServerClient, getSignUp, honoGuard } from 'postern~sdk-node';
import { Hono } from 'hono';

// POSTERN_URL, POSTERN_PROJECT_ID and POSTERN_SERVER_KEY come from the environment.
const postern = createPosternServerClient();

export const app = new Hono();
// Only sign-ups that passed get to the handler.
app.post('/sign-up', honoGuard(postern), (context) => context.text(`Welcome, ${getSignUp(context).email}!`));
