import { createPosternServerClient } from 'postern~sdk-node';
import * as env from '$app/env/private';

export const postern = createPosternServerClient({
  baseUrl: env.POSTERN_URL,
  projectId: env.POSTERN_PROJECT_ID,
  apiKey: env.POSTERN_SERVER_KEY,
});
