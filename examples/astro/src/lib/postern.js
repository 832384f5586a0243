import { createPosternServerClient } from 'postern~sdk-node';

// POSTERN_URL, POSTERN_PROJECT_ID and POSTERN_SERVER_KEY come from the environment.
export const postern = createPosternServerClient();
