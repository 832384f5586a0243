import { existsSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import { apiError } from '@postern/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createStaticFiles } from '../static-files.ts';

/** The build names its assets after their content; such a file never changes. */
const FOR_A_YEAR = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'public, max-age=0';

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
  const sendFile = createStaticFiles(folder);
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(SECURITY_HEADERS);
    const wanted = (request.params as { '*'?: string })['*'] ?? '';
    const hashed = wanted.startsWith('assets/');
    if (isFile(folder, wanted)) return sendFile(request, reply, wanted, hashed ? FOR_A_YEAR : ASK_AGAIN);
    if (hashed) return reply.code(404).send(apiError('NOT_FOUND').body);
    if (!existsSync(join(folder, 'index.html')))
      return reply
        .code(503)
        .header('Cache-Control', 'no-cache')
        .type('text/html; charset=utf-8')
        .send(NOT_BUILT);
    return sendFile(request, reply, 'index.html', 'no-cache');
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
