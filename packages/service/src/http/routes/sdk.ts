import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../../log.ts';
import { archivedName, archiveFiles, readArchived } from './sdk-archive.ts';

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
 * tarball for each package. If the build left them out, everything else still works. `archive` is a folder for the files
 * of earlier versions.
 */
export async function addSdkRoutes(
  server: FastifyInstance,
  folder: URL,
  archive: string,
  log: Log,
): Promise<void> {
  const manifest = await readManifest(folder);
  if (manifest === undefined) {
    log.warn({}, 'the SDKs were not built; /sdk answers 404. `npm run build` builds them');
    return;
  }
  const text = JSON.stringify(manifest);
  server.get('/sdk', { exposeHeadRoute: true }, async (_request, reply) =>
    reply.header('Access-Control-Allow-Origin', '*').type('application/json; charset=utf-8').send(text),
  );
  const files = await readFiles(manifest, folder);
  const answer = async (file: string, request: FastifyRequest, reply: FastifyReply) => {
    const asked = (request.query as { v?: unknown }).v;
    const version = typeof asked === 'string' ? asked : manifest.version;
    const isEarlier = version !== manifest.version || !files.has(file);
    const earlier = isEarlier ? await readArchived(archive, archivedName(file, version)) : undefined;
    if (earlier !== undefined) return send(request, reply, archivedFile(file, earlier), ONE_YEAR);
    const present = files.get(file);
    if (present === undefined) return reply.callNotFound();
    // With ?v=VERSION the page names the version itself, so the file can be cached for long.
    return send(request, reply, present, asked === manifest.version ? ONE_YEAR : ASK_AGAIN);
  };
  for (const file of files.keys()) {
    server.get(`/sdk/${file}`, { exposeHeadRoute: true }, (request, reply) => answer(file, request, reply));
  }
  server.get<{ Params: { file: string } }>('/sdk/:file', { exposeHeadRoute: true }, (request, reply) =>
    answer(request.params.file, request, reply),
  );

  const named = [...files].map(
    ([file, { content }]) => [archivedName(file, manifest.version), content] as const,
  );
  // Nobody waits for it: the files are needed after the next update.
  archiveFiles(archive, new Map(named)).catch((error: unknown) => {
    log.warn(
      { err: error },
      'the SDKs could not be kept for pages and projects that use them after an update',
    );
  });
}

async function readFiles(manifest: SdkManifest, folder: URL): Promise<ReadonlyMap<string, SdkFile>> {
  const files = new Map<string, SdkFile>();
  for (const { file, integrity } of manifest.files) {
    const content = await readFile(new URL(file, folder));
    files.set(file, { content, etag: `"${integrity}"`, type: typeOf(file) });
  }
  return files;
}

const typeOf = (file: string) =>
  file.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'application/gzip';

function archivedFile(file: string, content: Buffer): SdkFile {
  const etag = `"sha384-${createHash('sha384').update(content).digest('base64')}"`;
  return { content, etag, type: typeOf(file) };
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { content, etag, type }: SdkFile,
  cacheControl: string,
): FastifyReply {
  reply
    .header('ETag', etag)
    .header('Cache-Control', cacheControl)
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
