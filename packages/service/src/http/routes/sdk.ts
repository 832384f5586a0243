import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../log.ts';

/** What `scripts/pack-sdks.mjs` wrote. */
export interface SdkManifest {
  readonly version: string;
  readonly files: readonly { readonly file: string; readonly bytes: number; readonly integrity: string }[];
}

interface SdkFile {
  readonly content: Buffer;
  readonly etag: string;
  readonly type: string;
}

const ONE_YEAR = 'public, max-age=31536000, immutable';
const ASK_AGAIN = 'public, max-age=300';

/**
 * Serves the SDKs from the service itself, because they are not on a public registry: `GET /sdk/postern.js`, and one
 * tarball for each package. If the build left them out, everything else still works.
 */
export async function addSdkRoutes(server: FastifyInstance, folder: URL, log: Log): Promise<void> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) {
    log.warn({}, 'the SDKs were not built; /sdk answers 404. `npm run build` builds them');
    return;
  }
  const text = JSON.stringify(manifest);
  server.get('/sdk', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('Access-Control-Allow-Origin', '*').type('application/json; charset=utf-8').send(text),
  );
  for (const { file, integrity } of manifest.files) {
    const type = file.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'application/gzip';
    const content = await readFile(new URL(file, folder));
    const found: SdkFile = { content, etag: `"${integrity}"`, type };
    server.get(`/sdk/${file}`, { exposeHeadRoute: true }, async (request, reply) =>
      send(request, reply, found, manifest.version),
    );
  }
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, etag, type }: SdkFile,
  version: string,
): FastifyReply {
  const asked = (request.query as { v?: unknown }).v;
  reply
    .header('ETag', etag)
    // With ?v=VERSION the page names the version itself, so the file can be cached for long.
    .header('Cache-Control', asked === version ? ONE_YEAR : ASK_AGAIN)
    .header('Access-Control-Allow-Origin', '*')
    .header('Cross-Origin-Resource-Policy', 'cross-origin')
    .header('X-Content-Type-Options', 'nosniff');
  if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
  return reply.type(type).send(content);
}

/** `undefined` when the SDKs were not built. */
export async function readManifest(folder: URL): Promise<SdkManifest | undefined> {
  try {
    return JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8')) as SdkManifest;
  } catch {
    return undefined;
  }
}
