import { defineEnvVars } from '@sveltejs/kit/env';

export const variables = defineEnvVars({
  POSTERN_URL: { schema: (value) => value },
  POSTERN_PROJECT_ID: { schema: (value) => value },
  POSTERN_CLIENT_KEY: { schema: (value) => value },
  POSTERN_SERVER_KEY: { schema: (value) => value },
});
