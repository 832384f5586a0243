import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '@postern/service/config';
import { createProject } from '@postern/service/operations/change-project';
import { expect, onTestFinished, test } from 'vitest';
import { openAdministration } from '../../service/test/support/administration.ts';
import { examineClock, examineFolder, examineHealth, examineStore } from './doctor.ts';

async function configOf(folder: string): Promise<Config> {
  return readConfig({ POSTERN_DATA_DIR: folder });
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'postern-doctor-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test('a private folder with free space is ok; an open one gets the command that fixes it', async () => {
  const path = await folder();
  expect((await examineFolder(await configOf(path))).state).toBe('ok');
  await chmod(path, 0o755);
  const open = await examineFolder(await configOf(path));
  expect(open.state).toBe('attention');
  expect(open.advice).toContain(`chmod 700 ${path}`);
});

test('a missing folder is a fault', async () => {
  const { state, says, advice } = await examineFolder(await configOf('/nowhere/at/all'));
  expect([state, says]).toEqual(['fault', '/nowhere/at/all: does not exist']);
  expect(advice).toContain('POSTERN_DATA_DIR');
});

test('a clock that is behind the newest entry of the store, or before this release, is a fault', async () => {
  const admin = await openAdministration();
  expect((await examineClock(admin)).state).toBe('ok');
  await createProject(admin, { id: 'shop' });
  expect((await examineClock({ ...admin, now: () => admin.now() - 30_000 })).state).toBe('ok');
  expect((await examineClock({ ...admin, now: () => admin.now() - 3_600_000 })).state).toBe('fault');
  expect((await examineClock({ ...admin, now: () => 0 })).state).toBe('fault');
});

test('the store’s warnings become advice', async () => {
  const { store } = await openAdministration();
  const facts = { ...(await store.describe()), warnings: [] };
  expect(examineStore(facts)).toMatchObject({ state: 'ok', says: expect.stringContaining('0 projects') });
  const warned = examineStore({ ...facts, warnings: ['Make room.'] });
  expect(warned).toMatchObject({ state: 'attention', advice: 'Make room.' });
});

test('a part that is down is a fault, a degraded one needs attention, with advice', () => {
  const parts = {
    dns: { status: 'degraded', message: 'Nothing resolves. Fix it.' },
    domains: { status: 'ok', version: '7' },
    feeds: { status: 'down', message: 'Gone. Bring it back.' },
  } as const;
  expect(examineHealth({ status: 'unavailable', degraded: ['dns', 'feeds'], parts })).toEqual([
    { part: 'dns', state: 'attention', says: 'Nothing resolves.', advice: 'Fix it.' },
    { part: 'domains', state: 'ok', says: 'version 7' },
    { part: 'feeds', state: 'fault', says: 'Gone.', advice: 'Bring it back.' },
  ]);
});
