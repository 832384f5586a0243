import { readFileSync } from 'node:fs';

/** Where Postern answers and which project this is, from the environment. */
export function readSettings() {
  const names = ['POSTERN_URL', 'POSTERN_PROJECT_ID', 'POSTERN_CLIENT_KEY', 'POSTERN_SERVER_KEY'];
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    throw new Error(`Set ${missing.join(', ')}, or start with: npm run example ${exampleName()}`);
  }
  return {
    baseUrl: process.env.POSTERN_URL,
    projectId: process.env.POSTERN_PROJECT_ID,
    clientKey: process.env.POSTERN_CLIENT_KEY,
    serverKey: process.env.POSTERN_SERVER_KEY,
    port: Number(process.env.PORT ?? 3000),
  };
}

/** The plain form’s page with the client key in its place; the server key never leaves the backend. */
export function signUpPage({ baseUrl, projectId, clientKey }) {
  return readFileSync(new URL('./plain-form/index.html', import.meta.url), 'utf8')
    .replace('https://postern.example.com', baseUrl)
    .replace('YOUR_PROJECT_ID', projectId)
    .replace('YOUR_CLIENT_KEY', clientKey)
    .replace('async\n', `async\n      data-timeout-ms="${process.env.POSTERN_TIMEOUT_MS ?? 2000}"\n`);
}

/** The one script file, to be served from the site itself. */
export const POSTERN_SCRIPT = new URL('../packages/sdk/dist/postern.js', import.meta.url);

export function listening(server) {
  console.log(`Listening on http://localhost:${server.address().port}`);
}

function exampleName() {
  return process.argv[1]?.split('/').at(-2) ?? '';
}
