import { existsSync } from 'node:fs';
import { join, normalize, relative, sep } from 'node:path';
import { apiError } from '@postern/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createStaticFiles } from '../../static-files.ts';

/** The pages run one script of their own and load nothing from other origins. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};
const NOT_FOUND = '404.html';
/** The names stay the same when the content changes, so a browser asks each time; mostly the answer is 304. */
const CACHE_CONTROL = 'no-cache';

/**
 * Serves the docs site that `scripts/docs-site.mjs` built. `front.html` is the front page with links for `/docs`, which
 * has no slash at its end. Returns false if the site was not built.
 */
export function addDocsSite(server: FastifyInstance, folder: string): boolean {
  if (!existsSync(join(folder, 'front.html'))) return false;
  const sendFile = createStaticFiles(folder);
  const send = (request: FastifyRequest, reply: FastifyReply, file: string) =>
    sendFile(request, reply.headers(SECURITY_HEADERS), file, CACHE_CONTROL);
  const method = ['GET', 'HEAD'];
  server.route({ method, url: '/docs', handler: (request, reply) => send(request, reply, 'front.html') });
  server.route({
    method,
    url: '/docs/*',
    handler: async (request, reply) => {
      const file = findFile(folder, (request.params as { '*': string })['*']);
      if (file !== undefined) return send(request, reply, file);
      reply.code(404);
      // People get a page with the search, programs the API’s own answer.
      return request.headers.accept?.includes('text/html')
        ? send(request, reply, NOT_FOUND)
        : reply.send(apiError('NOT_FOUND').body);
    },
  });
  return true;
}

/** The file behind an address: `/docs/api` is `api.html`, and a folder is its `index.html`. */
function findFile(folder: string, wanted: string): string | undefined {
  if (wanted.includes('\0')) return undefined;
  const file = wanted === '' || wanted.endsWith('/') ? `${wanted}index.html` : wanted;
  const path = normalize(join(folder, /\.[a-z]+$/.test(file) ? file : `${file}.html`));
  const inside = path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  return inside && existsSync(path) ? relative(folder, path) : undefined;
}
