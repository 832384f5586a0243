// A React form and a Fastify backend. One command: npm run example react-form
import { fileURLToPath } from 'node:url';
import { createPosternServerClient, fastifyGuard, getSignUp } from '@postern/sdk-node';
import fastify from 'fastify';
import { rolldown } from 'rolldown';
import { listening, readSettings } from '../settings.js';

const { serverKey: _secret, port, ...pageSettings } = readSettings();
const postern = createPosternServerClient();

/** Any bundler will do; the fingerprint comes out as a chunk of its own. */
async function bundleApp() {
  const build = await rolldown({
    input: fileURLToPath(new URL('./app.jsx', import.meta.url)),
    platform: 'browser',
    // In this repository the SDK is a link to its folder, which has another React for its tests.
    resolve: { alias: { react: fileURLToPath(new URL('.', import.meta.resolve('react'))) } },
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await build.generate({ format: 'esm', minify: true, chunkFileNames: '[name].js' });
  await build.close();
  return new Map(output.map((file) => [file.fileName, file.code]));
}

const files = await bundleApp();
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign up</title><link rel="icon" href="data:,">
<main><h1>Sign up</h1><div id="root"></div></main>
<script>globalThis.settings = ${JSON.stringify(pageSettings)}</script><script type="module" src="/app.js"></script>`;

const app = fastify();
app.get('/', (_request, reply) => reply.type('text/html').send(page));
app.get('/:file', (request, reply) => {
  const code = files.get(request.params.file);
  return code === undefined ? reply.code(404).send() : reply.type('text/javascript').send(code);
});
app.post('/sign-up', { preHandler: fastifyGuard(postern) }, (request) => {
  const { email, recommendation, source } = getSignUp(request);
  return `Welcome, ${email}! (${recommendation}, by ${source})`;
});

await app.listen({ port, host: 'localhost' });
listening(app.server);
