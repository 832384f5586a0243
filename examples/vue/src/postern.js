import { createPosternClient } from 'postern~sdk';

export const postern = createPosternClient({
  baseUrl: import.meta.env.VITE_POSTERN_URL,
  projectId: import.meta.env.VITE_POSTERN_PROJECT_ID,
  apiKey: import.meta.env.VITE_POSTERN_CLIENT_KEY,
});
