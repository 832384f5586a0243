import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { SdkManifest } from '@postern/contract/sdk-files';
import { ENCODINGS } from '../../static-files.ts';
import type { SdkFileStore } from '../../store/tables/sdk-file-table.ts';

export interface ServedFile {
  readonly content: Buffer;
  readonly etag: string;
  readonly type: string;
  /** Scripts also compressed; a tarball is already. */
  readonly encoded: readonly { readonly encoding: 'br' | 'gzip'; readonly content: Buffer }[];
}

export interface SdkFiles {
  /** A file of this build by its name in the build. */
  present(file: string): ServedFile | undefined;
  /** A file of this build or of an earlier one, by content or by version; `undefined` if it is not kept. */
  kept(name: string): Promise<ServedFile | undefined>;
  /** Keeps this build’s files for the time after an update. */
  keep(now: number): Promise<void>;
}

/** Names by content or by version. Nothing else is looked up. */
const KEPT = /^postern(?:-sdk(?:-[a-z]+)*-\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?)?(?:-[0-9a-f]{16})?\.(?:js|tgz)$/;
/** More than pages of a few builds need. A file has at most half a megabyte. */
const MAX_CACHED = 32;
/** How often the store is asked which names it has, because a process of a newer build may have added some. */
const NAMES_MS = 5_000;

export async function openSdkFiles(
  manifest: SdkManifest,
  folder: URL,
  store: SdkFileStore,
  now: () => number,
): Promise<SdkFiles> {
  const present = new Map<string, ServedFile>();
  for (const { file } of manifest.files) present.set(file, await readServed(folder, file));
  const byContent = new Map(
    manifest.files.flatMap(({ file, keptAs }) => {
      const served = present.get(file);
      return served === undefined ? [] : [[keptAs, served] as const];
    }),
  );
  const cached = new Map<string, Promise<ServedFile | undefined>>();
  let names: ReadonlySet<string> = new Set();
  let namesAtMs = Number.NEGATIVE_INFINITY;

  const isKept = async (name: string): Promise<boolean> => {
    if (!names.has(name) && now() - namesAtMs >= NAMES_MS) {
      namesAtMs = now();
      names = await store.names();
    }
    return names.has(name);
  };
  const load = async (name: string): Promise<ServedFile | undefined> => {
    const found = await store.find(name);
    if (found === undefined) return undefined;
    return byContent.get(found.name) ?? serve(found.name, found.content, await compress(found));
  };

  return {
    present: (file) => present.get(file),
    kept: async (name) => {
      const own = byContent.get(name);
      if (own !== undefined) return own;
      if (!KEPT.test(name) || !(await isKept(name))) return undefined;
      const loading = cached.get(name) ?? load(name);
      if (cached.size >= MAX_CACHED) cached.clear();
      cached.set(name, loading);
      loading.catch(() => cached.delete(name));
      return loading;
    },
    keep: async (at) => {
      const files = manifest.files.flatMap(({ file, keptAs }) => {
        const content = present.get(file)?.content;
        // The script’s name has no version, so it stays the present build’s.
        const alias = file.endsWith('.tgz') ? file : undefined;
        return content === undefined ? [] : [{ name: keptAs, alias, content }];
      });
      await store.keep(files, at);
      namesAtMs = Number.NEGATIVE_INFINITY;
    },
  };
}

/** `undefined` when the SDKs were not built. */
export async function readManifest(folder: URL): Promise<SdkManifest | undefined> {
  try {
    return JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8')) as SdkManifest;
  } catch {
    return undefined;
  }
}

/** The build has compressed the script already. */
async function readServed(folder: URL, file: string): Promise<ServedFile> {
  const encoded: ServedFile['encoded'][number][] = [];
  for (const [encoding, ending] of ENCODINGS) {
    const content = await readFile(new URL(`${file}${ending}`, folder)).catch(() => undefined);
    if (content !== undefined) encoded.push({ encoding, content });
  }
  return serve(file, await readFile(new URL(file, folder)), encoded);
}

/** A script of an earlier build, once for each process that is asked for it. */
async function compress({
  name,
  content,
}: {
  name: string;
  content: Buffer;
}): Promise<ServedFile['encoded']> {
  if (!name.endsWith('.js')) return [];
  const [br, gz] = await Promise.all([promisify(brotliCompress)(content), promisify(gzip)(content)]);
  return [
    { encoding: 'br', content: br },
    { encoding: 'gzip', content: gz },
  ];
}

function serve(name: string, content: Buffer, encoded: ServedFile['encoded']): ServedFile {
  return {
    content,
    etag: createHash('sha256').update(content).digest('base64url').slice(0, 22),
    type: name.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'application/gzip',
    encoded,
  };
}
