import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Sends a file of the folder. The caller has checked that the name stays inside it. */
export type SendFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  file: string,
  cacheControl: string,
) => Promise<FastifyReply>;

interface StaticFile {
  /** When it was last written, and how long it is: if either changes, it is read again. */
  readonly state: string;
  readonly content: Promise<{ readonly bytes: Buffer; readonly etag: string }>;
}

/** The build writes these next to a file, and the first that the browser accepts is sent. */
export const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.yaml': 'application/yaml; charset=utf-8',
  '.yml': 'application/yaml; charset=utf-8',
};

/** More than a build has. */
const MAX_KEPT = 1_000;

/**
 * Answers with the files of a build from memory. A stream for each answer would hold a descriptor until the peer has
 * read it, and peers can take as long as they like.
 */
export function createStaticFiles(folder: string): SendFile {
  const files = new Map<string, StaticFile>();

  const find = async (name: string): Promise<StaticFile | undefined> => {
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    if (!facts?.isFile()) return undefined;
    const state = `${facts.mtimeMs} ${facts.size}`;
    const cached = files.get(path);
    if (cached?.state === state) return cached;
    // Where file names ignore case, one file has many names.
    if (files.size >= MAX_KEPT) files.clear();
    const content = readFile(path).then((bytes) => ({ bytes, etag: etagOf(bytes) }));
    const file = { state, content };
    files.set(path, file);
    content.catch(() => files.delete(path));
    return file;
  };

  return async (request, reply, name, cacheControl) => {
    const accepted = acceptedEncodings(request.headers['accept-encoding']);
    let file: StaticFile | undefined;
    for (const [encoding, ending] of ENCODINGS) {
      if (!accepted.has(encoding)) continue;
      file = await find(name + ending);
      if (file === undefined) continue;
      reply.header('Content-Encoding', encoding);
      break;
    }
    file ??= await find(name);
    if (file === undefined) {
      reply.callNotFound();
      return reply;
    }
    const { bytes, etag } = await file.content;
    reply.header('ETag', etag).header('Cache-Control', cacheControl).header('Vary', 'Accept-Encoding');
    if (request.headers['if-none-match']?.includes(etag))
      return reply.removeHeader('Content-Encoding').code(304).send();
    return reply.type(TYPES[extname(name)] ?? 'application/octet-stream').send(bytes);
  };
}

function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}

/** The encodings that the header names, without those that it rules out (`br;q=0`). */
export function acceptedEncodings(header: string | string[] | undefined): ReadonlySet<string> {
  const accepted = new Set<string>();
  for (const part of String(header ?? '').split(',')) {
    const [encoding = '', weight = ''] = part.toLowerCase().split(';', 2);
    if (!/^\s*q=0(?:\.0*)?\s*$/.test(weight)) accepted.add(encoding.trim());
  }
  return accepted;
}
