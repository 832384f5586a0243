import { existsSync } from 'node:fs';
import { join, normalize, relative, sep } from 'node:path';
import { apiError, DAY_MS } from '@postern/contract';
import { CONFIGURATION_SCHEMA_PATH, configurationSchema } from '@postern/contract/configuration';
import { openApiDocument } from '@postern/contract/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createStaticFiles } from '../../static-files.ts';
import { docsPage } from './docs-page.ts';

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
function addDocsSite(server: FastifyInstance, folder: string): boolean {
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

/** `/openapi.json`, `/schema/config.json`, and `/docs` with everything below it. */
export function addDocumentRoutes(server: FastifyInstance, version: string, siteFolder: string): void {
  const document = openApiDocument(version);
  addJson(server, '/openapi.json', document);
  addJson(server, CONFIGURATION_SCHEMA_PATH, configurationSchema());
  if (!addDocsSite(server, siteFolder)) addReference(server, docsPage(document));
  server.get('/', { exposeHeadRoute: true }, async (_request, reply) => reply.redirect('/docs'));
}

const SECURITY_TEXT_LASTS_MS = 90 * DAY_MS;

/** RFC 9116. `Expires` is required, so it is always some months ahead. */
export function addSecurityText(
  server: FastifyInstance,
  contact: string | undefined,
  now: () => number,
): void {
  if (contact === undefined) return;
  server.get('/.well-known/security.txt', { exposeHeadRoute: true }, async (_request, reply) => {
    const expires = new Date(now() + SECURITY_TEXT_LASTS_MS).toISOString();
    return reply.type('text/plain; charset=utf-8').send(`Contact: ${contact}\nExpires: ${expires}\n`);
  });
}

/** Any site may read it. */
function addJson(server: FastifyInstance, path: string, document: unknown): void {
  const json = JSON.stringify(document);
  server.get(path, { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('Access-Control-Allow-Origin', '*').type('application/json; charset=utf-8').send(json),
  );
}

/** Without the docs site, `/docs` is the API reference alone. */
function addReference(server: FastifyInstance, page: string): void {
  server.get('/docs', { exposeHeadRoute: true }, async (_request, reply) =>
    reply
      // The page is only text and style. It needs no script and loads nothing.
      .header(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      )
      .header('X-Content-Type-Options', 'nosniff')
      .type('text/html; charset=utf-8')
      .send(page),
  );
}
