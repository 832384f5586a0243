import { DAY_MS } from '@postern/contract';
import { CONFIGURATION_SCHEMA_PATH, configurationSchema } from '@postern/contract/configuration';
import { openApiDocument } from '@postern/contract/openapi';
import type { FastifyInstance } from 'fastify';
import { docsPage } from './docs-page.ts';
import { addDocsSite } from './docs-site.ts';

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
