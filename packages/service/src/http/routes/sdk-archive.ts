import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';

/**
 * The SDK files of earlier versions. A page names the script’s version and hash, and a package.json names a tarball’s
 * URL. Both must keep working after the service was updated.
 */

const VERSION = String.raw`\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?`;
const ARCHIVED = new RegExp(`^postern-(?:sdk-[a-z-]+-)?(${VERSION})\\.(?:js|tgz)$`);
/** A version has less than 1 MB. */
const MAX_VERSIONS = 20;

/** The script’s own name has no version. */
export function archivedName(file: string, version: string): string {
  return file === 'postern.js' ? `postern-${version}.js` : file;
}

/** `undefined` when the archive does not have it. */
export async function readArchived(archive: string, name: string): Promise<Buffer | undefined> {
  return ARCHIVED.test(name) ? readFile(join(archive, name)).catch(() => undefined) : undefined;
}

/** Keeps the present files, and removes those of the oldest versions. */
export async function archiveFiles(archive: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  makeFolder(archive);
  for (const [name, content] of files) {
    if ((await readArchived(archive, name))?.equals(content)) continue;
    // Other processes may do the same at the same time, and a reader must never see half a file.
    const partial = join(archive, `${name}.${process.pid}.partial`);
    await writeFile(partial, content);
    await rename(partial, join(archive, name));
  }
  const names = await readdir(archive);
  const versionOf = (name: string) => ARCHIVED.exec(name)?.[1];
  const versions = [...new Set(names.flatMap((name) => versionOf(name) ?? []))];
  const newestFirst = versions.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const old = new Set(newestFirst.slice(MAX_VERSIONS));
  for (const name of names) {
    if (old.has(versionOf(name) ?? '')) await rm(join(archive, name), { force: true });
  }
}
