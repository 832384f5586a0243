// A React form, bundled here, and a Fastify backend. One command: npm run example react-form
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import { rolldown } from 'rolldown';
import { signUp } from '../fastify/sign-up.js';
import { listening, readSettings } from '../settings.js';

const { baseUrl, projectId, clientKey, port } = readSettings();

/** Any bundler will do; the fingerprint comes out as a chunk of its own. */
async function bundleApp() {
  const build = await rolldown({
    input: fileURLToPath(new URL('./app.jsx', import.meta.url)),
    platform: 'browser',
    // In this repository the SDK is a link to its folder, which has another React for its tests.
    resolve: { alias: { react: fileURLToPath(new URL('.', import.meta.resolve('react'))) } },
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        'import.meta.env.VITE_POSTERN_URL': JSON.stringify(baseUrl),
        'import.meta.env.VITE_POSTERN_PROJECT_ID': JSON.stringify(projectId),
        'import.meta.env.VITE_POSTERN_CLIENT_KEY': JSON.stringify(clientKey),
      },
    },
  });
  const { output } = await build.generate({ format: 'esm', minify: true, chunkFileNames: '[name].js' });
  await build.close();
  return new Map(output.map((file) => [file.fileName, file.code]));
}

const files = await bundleApp();
const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sign up</title><link rel="icon" href="data:,">
<main><h1>Sign up</h1><div id="root"></div></main><script type="module" src="/app.js"></script>`;

const app = fastify();
app.get('/', (_request, reply) => reply.type('text/html').send(page));
app.get('/:file', (request, reply) => {
  const code = files.get(request.params.file);
  return code === undefined ? reply.code(404).send() : reply.type('text/javascript').send(code);
});
app.register(signUp);

await app.listen({ port, host: 'localhost' });
listening(app.server);
