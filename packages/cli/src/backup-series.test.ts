import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addBackup, backupName, newestBackupAt } from './backup-series.ts';

const START = Date.UTC(2026, 10, 15, 12, 0, 0);
const HOUR = 3_600_000;

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'postern-series-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

const write = (file: string) => writeFile(file, 'a backup');

test('keeps the newest and nothing else of its own', async () => {
  const place = join(await folder(), 'backups');
  expect(await newestBackupAt(place)).toBeUndefined();
  for (let number = 0; number < 5; number += 1) await addBackup(place, 3, START + number * HOUR, write);
  await writeFile(join(place, 'postern-of-mine.db'), 'not a backup of the series');
  const { deleted } = await addBackup(place, 2, START + 5 * HOUR, write);
  expect(deleted).toEqual([backupName(START + 2 * HOUR), backupName(START + 3 * HOUR)]);
  expect((await readdir(place)).sort()).toEqual([
    'postern-20261115T160000Z.db',
    'postern-20261115T170000Z.db',
    'postern-of-mine.db',
  ]);
  expect(await newestBackupAt(place)).toBe(START + 5 * HOUR);
});

test('a backup that fails deletes none', async () => {
  const place = await folder();
  await addBackup(place, 1, START, write);
  const failing = addBackup(place, 1, START + HOUR, () => Promise.reject(new Error('The disk is full')));
  await expect(failing).rejects.toThrow('The disk is full');
  expect(await readdir(place)).toEqual([backupName(START)]);
});
