import { fork } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openFeedLock } from './feed-lock.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-lock-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** Runs `inside` while the lock is held. */
async function whileHeld<T>(folder: string, inside: () => Promise<T>): Promise<T | 'busy'> {
  return openFeedLock(folder, { renewMs: 20, expireMs: 60_000 }).exclusively(inside);
}

const ownerIn = async (folder: string) => JSON.parse(await readFile(join(folder, 'refresh.lock'), 'utf8'));

test('only one process at a time holds the lock, and it is released afterwards', async () => {
  const folder = await emptyFolder();
  expect(await whileHeld(folder, () => whileHeld(folder, async () => 'inner'))).toBe('busy');
  expect(await whileHeld(folder, async () => 'done')).toBe('done');
  await expect(whileHeld(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await whileHeld(folder, async () => 'done')).toBe('done');
});

test('a dead owner on this machine is detected immediately', async () => {
  const folder = await emptyFolder();
  const owner = await whileHeld(folder, () => ownerIn(folder));
  const child = fork('', [], { execArgv: ['-e', ''] });
  const pid = child.pid;
  await new Promise((resolve) => child.once('exit', resolve));
  await writeFile(join(folder, 'refresh.lock'), JSON.stringify({ ...owner, pid, token: 'dead' }));
  expect(await whileHeld(folder, async () => 'done')).toBe('done');
});

test.runIf(process.platform === 'linux')(
  'a later process with the number of a dead owner is not it',
  async () => {
    const folder = await emptyFolder();
    const owner = await whileHeld(folder, () => ownerIn(folder));
    await writeFile(
      join(folder, 'refresh.lock'),
      JSON.stringify({ ...owner, startedAt: '1', token: 'dead' }),
    );
    expect(await whileHeld(folder, async () => 'done')).toBe('done');
  },
);

test('an owner on another machine keeps the lock as long as it renews it', async () => {
  const folder = await emptyFolder();
  const file = join(folder, 'refresh.lock');
  await writeFile(file, JSON.stringify({ token: 'far', pid: 1, place: 'another machine', startedAt: null }));
  expect(await whileHeld(folder, async () => 'done')).toBe('busy');
  const past = new Date(Date.now() - 120_000);
  await utimes(file, past, past);
  expect(await whileHeld(folder, async () => 'done')).toBe('done');
});

test('a damaged lock expires', async () => {
  const folder = await emptyFolder();
  const file = join(folder, 'refresh.lock');
  await writeFile(file, '');
  expect(await whileHeld(folder, async () => 'done')).toBe('busy');
  const past = new Date(Date.now() - 120_000);
  await utimes(file, past, past);
  expect(await whileHeld(folder, async () => 'done')).toBe('done');
});

test('the lock is renewed while the work runs', async () => {
  const folder = await emptyFolder();
  const file = join(folder, 'refresh.lock');
  await whileHeld(folder, async () => {
    const past = new Date(Date.now() - 50_000);
    await utimes(file, past, past);
    await expect.poll(async () => Date.now() - (await stat(file)).mtimeMs).toBeLessThan(40_000);
  });
});

test('files that killed processes left are removed, those of living ones are not', async () => {
  const folder = await emptyFolder();
  for (const name of ['old', 'new']) await writeFile(join(folder, `refresh.lock.${name}`), '{}');
  const past = new Date(Date.now() - 120_000);
  await utimes(join(folder, 'refresh.lock.old'), past, past);
  await whileHeld(folder, async () => 'done');
  expect(await readdir(folder)).toEqual(['refresh.lock.new']);
});
