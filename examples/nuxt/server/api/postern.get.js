export default defineEventHandler(() => ({
  baseUrl: process.env.POSTERN_URL ?? '',
  projectId: process.env.POSTERN_PROJECT_ID ?? '',
  apiKey: process.env.POSTERN_CLIENT_KEY ?? '',
}));
