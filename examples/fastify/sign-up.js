import { createPosternServerClient, fastifyGuard, getSignUp } from 'postern~sdk-node';

// POSTERN_URL, POSTERN_PROJECT_ID and POSTERN_SERVER_KEY come from the environment.
const postern = createPosternServerClient();

/** For `app.register(signUp)`. */
export async function signUp(app) {
  app.post('/sign-up', { preHandler: fastifyGuard(postern) }, (request) => {
    // Only sign-ups that passed get here.
    const { email, recommendation, source } = getSignUp(request);
    return `Welcome, ${email}! (${recommendation}, by ${source})`;
  });
}
