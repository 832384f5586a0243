import { authJsSignIn, createPosternServerClient } from 'postern~sdk-node';
import Credentials from '@auth/core/providers/credentials';

const postern = createPosternServerClient();

const accounts = new Set();

export const config = {
  secret: 'replace-this-with-32-random-bytes',
  basePath: '/auth',
  trustHost: true,
  providers: [
    Credentials({
      credentials: { email: { type: 'email' } },
      authorize: ({ email }) => ({ id: email, email }),
    }),
  ],
  callbacks: {
    signIn: authJsSignIn(postern, {
      // Auth.js calls this for every sign-in. People who have an account are not checked again.
      hasAccount: (email) => accounts.has(email),
      redirectTo: ({ message }) => `/refused?${new URLSearchParams({ message })}`,
    }),
  },
  events: { signIn: ({ user }) => accounts.add(user.email) },
};
