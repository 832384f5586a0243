import { integer, text, textOrNull } from '../columns.ts';
import { type Database, statement } from '../database.ts';
import { tableOf } from '../table-of.ts';

export const SDK_FILE = tableOf('sdk_file', {
  name: text,
  /** Base64; `null` for a name that points to another file. */
  content: textOrNull,
  /** The file that this name stands for; `null` for a file. */
  target: textOrNull,
  /** When a service that has this file last started. */
  seenAt: integer,
});

/** A file under a name that its content decides, and another name that the first file to claim it keeps. */
export interface KeptSdkFile {
  readonly name: string;
  readonly alias?: string | undefined;
  readonly content: Buffer;
}

/** Files of older builds are deleted. A build has about 1 MB. */
const MAX_BUILDS = 20;

export type SdkFileStore = ReturnType<typeof sdkFileStore>;

/**
 * The SDK files of this and of earlier builds. A page names a script and its hash, and a package.json names a tarball’s
 * URL. Both must keep working after an update, and in a new container. A name never gets another content.
 */
export function sdkFileStore(database: Database) {
  const names = async (): Promise<Set<string>> => {
    const rows = await database.read(statement('SELECT name FROM sdk_file'));
    return new Set(rows.map((row) => text(row, 'name')));
  };
  return {
    names,
    /** Keeps the files that are new, and marks all of them as used by a build that runs. */
    async keep(files: readonly KeptSdkFile[], now: number): Promise<void> {
      const known = await names();
      const added = files.flatMap(({ name, alias, content }) => [
        ...(known.has(name) ? [] : [{ name, content: content.toString('base64'), seenAt: now }]),
        ...(alias === undefined || known.has(alias) ? [] : [{ name: alias, target: name, seenAt: now }]),
      ]);
      const used = files.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]));
      const marks = used.map(() => '?').join(', ');
      await database.write([
        // Two processes of different builds may claim the same alias: the first one has it.
        ...added.map((row) => SDK_FILE.insert(row, { suffix: 'ON CONFLICT (name) DO NOTHING' })),
        statement(
          `UPDATE sdk_file SET seen_at = ? WHERE name IN (${marks})
           OR name IN (SELECT target FROM sdk_file WHERE name IN (${marks}))`,
          ...[now, ...used, ...used],
        ),
        statement(
          `DELETE FROM sdk_file WHERE seen_at < (SELECT min(builds.seen_at) FROM (
             SELECT DISTINCT seen_at FROM sdk_file ORDER BY seen_at DESC LIMIT ${MAX_BUILDS}) AS builds)`,
        ),
      ]);
    },
    /** `undefined` if no file has this name. `name` in the answer is the name by content. */
    async find(name: string): Promise<{ name: string; content: Buffer } | undefined> {
      const target = 'AND name = coalesce((SELECT target FROM sdk_file WHERE name = ?), ?)';
      const file = await SDK_FILE.find(database.read, {}, target, name, name);
      return file?.content == null
        ? undefined
        : { name: file.name, content: Buffer.from(file.content, 'base64') };
    },
  };
}
