import { existsSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { apiError } from '@postern/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const YEAR_SECONDS = 31_536_000;

/** The built pages load nothing from other origins and run only their own scripts. */
const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
};

/** Serves the dashboard’s build; every path that is not a file is a page, served with `index.html`. */
export function addDashboardPages(scope: FastifyInstance, folder: string): void {
  scope.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(SECURITY_HEADERS);
    const wanted = (request.params as { '*'?: string })['*'] ?? '';
    if (isFile(folder, wanted)) {
      // The build names its assets after their content; such a file never changes.
      const hashed = wanted.startsWith('assets/');
      return reply.sendFile(wanted, { maxAge: hashed ? YEAR_SECONDS * 1000 : 0, immutable: hashed });
    }
    if (wanted.startsWith('assets/')) return reply.code(404).send(apiError('NOT_FOUND').body);
    reply.header('Cache-Control', 'no-cache');
    if (!existsSync(join(folder, 'index.html')))
      return reply.code(503).type('text/html; charset=utf-8').send(NOT_BUILT);
    return reply.sendFile('index.html', { cacheControl: false });
  };
  const method = ['GET', 'HEAD'];
  scope.route({
    method,
    url: '/dashboard',
    handler: async (_request, reply) => reply.redirect('/dashboard/'),
  });
  scope.route({ method, url: '/dashboard/*', handler: answer });
}

function isFile(folder: string, wanted: string): boolean {
  if (wanted === '' || wanted === 'index.html' || wanted.includes('\0')) return false;
  const path = normalize(join(folder, wanted));
  // Pages have no extension. The disk is only checked for paths with one, which keeps page views cheap.
  return (
    path.startsWith(folder.endsWith(sep) ? folder : folder + sep) &&
    /\.[a-z0-9]+$/.test(path) &&
    existsSync(path)
  );
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Postern</title>
<h1>The dashboard is not built yet</h1><p>Run <code>npm run build</code> in the checkout, then reload this page.
The API works without it.</p></html>
`;
