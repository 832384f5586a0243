import { beforeEach, expect, test } from 'vitest';
import { type Postern, posternOnFreshStore } from './support/postern.ts';

let postern: Postern;
beforeEach(async () => {
  postern = await posternOnFreshStore();
  await postern('project', 'create', '--id', 'shop');
});

test('key create --json prints the secret once; the list never does', async () => {
  const { code, error, json } = await postern(
    'key',
    'create',
    '--project',
    'shop',
    '--type',
    'server',
    '--json',
  );
  expect([code, error]).toEqual([0, '']);
  expect(json).toMatchObject({
    type: 'server',
    mode: 'live',
    projectId: 'shop',
    status: 'active',
    expiresAt: null,
  });
  expect(json.id).toMatch(/^key_/);
  expect(json.key).toMatch(/^pst_server_live_\w{36}$/);
  const list = await postern('key', 'list', '--project', 'shop', '--json');
  expect(list.json).toHaveLength(1);
  expect(list.json[0]).toMatchObject({ id: json.id, ageDays: 0, rotationDue: false, lastUsedAt: null });
  expect(list.out).not.toContain(json.key);
});

test('mode, name and lifetime are kept', async () => {
  const { json } = await postern(
    ...['key', 'create', '--project', 'shop', '--type', 'client', '--mode', 'test'],
    ...['--name', 'Sandbox', '--expires-in', '90d', '--json'],
  );
  expect(json).toMatchObject({ type: 'client', mode: 'test', name: 'Sandbox' });
  expect(json.key).toMatch(/^pst_client_test_/);
  expect(Date.parse(json.expiresAt) - Date.parse(json.createdAt)).toBe(90 * 86_400_000);
});

test('regenerate and revoke print the same format', async () => {
  const { json: made } = await postern('key', 'create', '--project', 'shop', '--type', 'client', '--json');
  const { json: again } = await postern('key', 'regenerate', made.id, '--json');
  expect(again).toMatchObject({ id: made.id, type: 'client', status: 'active' });
  expect(again.key).not.toBe(made.key);
  const { json: revoked } = await postern('key', 'revoke', made.id, '--json');
  expect(revoked).toMatchObject({ id: made.id, status: 'revoked' });
  expect(revoked).not.toHaveProperty('key');
  expect((await postern('key', 'regenerate', made.id)).code).toBe(2);
});

test('the output says what the secret is for and that it is shown once', async () => {
  const { out } = await postern('key', 'create', '--project', 'shop', '--type', 'server');
  expect(out).toMatch(/\n {2}pst_server_live_\w+\n/);
  expect(out).toContain('Shown only once');
  expect(out).toContain('Keep it secret');
});

test.each([
  ['an unknown type', ['create', '--project', 'shop', '--type', 'admin'], 2, /client, server/],
  ['an unknown project', ['create', '--project', 'nobody', '--type', 'client'], 1, /no project 'nobody'/],
  ['no project', ['create', '--type', 'client'], 2, /--project/],
  [
    'a lifetime that is none',
    ['create', '--project', 'shop', '--type', 'client', '--expires-in', 'long'],
    2,
    /90d/,
  ],
  ['an unknown key', ['revoke', 'key_nobody'], 1, /no key 'key_nobody'/],
])('%s ends in one clear line and exit code', async (_, args, exitCode, message) => {
  const { code, out, error } = await postern('key', ...args);
  expect([code, out]).toEqual([exitCode, '']);
  expect(error).toMatch(message);
});
