import { createPosternServerClient } from '@postern/sdk-node';

export const postern = createPosternServerClient({
  baseUrl: process.env.POSTERN_URL,
  projectId: process.env.POSTERN_PROJECT_ID,
  apiKey: process.env.POSTERN_SERVER_KEY,
});
