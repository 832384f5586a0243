import { createPosternServerClient, expressGuard, getSignUp } from 'postern~sdk-node';
import express from 'express';

// POSTERN_URL, POSTERN_PROJECT_ID and POSTERN_SERVER_KEY come from the environment.
const postern = createPosternServerClient();

export const router = express.Router();
router.post('/sign-up', express.urlencoded(), express.json(), expressGuard(postern), (request, response) => {
  // Only sign-ups that passed get here.
  const { email, recommendation, source } = getSignUp(request);
  response.type('text').send(`Welcome, ${email}! (${recommendation}, by ${source})`);
});
