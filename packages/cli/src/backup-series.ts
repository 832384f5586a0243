import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of a backup has its time, so names sort by age. Other files of the folder are not touched. */
const NAME = /^postern-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.db$/;

export function backupName(now: number): string {
  return `postern-${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.db`;
}

/** When the newest backup of the folder was made; `undefined` if there is none. */
export async function newestBackupAt(folder: string): Promise<number | undefined> {
  const newest = (await backupsIn(folder)).at(-1);
  if (newest === undefined) return undefined;
  const [, ...parts] = NAME.exec(newest) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Adds a backup to the folder and deletes the oldest ones beyond `keep`, but never before the new one is complete. */
export async function addBackup<T>(
  folder: string,
  keep: number,
  now: number,
  backUp: (file: string) => Promise<T>,
): Promise<{ readonly backup: T; readonly deleted: readonly string[] }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const backup = await backUp(join(folder, backupName(now)));
  const deleted = (await backupsIn(folder)).slice(0, -keep);
  for (const name of deleted) await rm(join(folder, name));
  return { backup, deleted };
}

/** Oldest first. */
async function backupsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => NAME.test(name)).sort();
}
