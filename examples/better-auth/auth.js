import { betterAuthPlugin, createPosternServerClient } from 'postern~sdk-node';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';

const postern = createPosternServerClient();

export const auth = betterAuth({
  baseURL: process.env.ORIGIN,
  secret: 'replace-this-with-32-random-bytes',
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  emailAndPassword: { enabled: true },
  plugins: [betterAuthPlugin(postern)],
});
