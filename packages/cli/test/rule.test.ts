import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { member } from '../../service/test/support/dashboard.ts';
import { startService } from '../../service/test/support/service.ts';
import { freshFolder, type Postern, posternOn, posternOnFreshStore } from './support/postern.ts';

const PROJECT = ['--project', 'shop'];
const idsOf = (rules: readonly { readonly id: string }[]) => rules.map(({ id }) => id);

async function shop(): Promise<Postern> {
  const postern = await posternOnFreshStore();
  await postern('project', 'create', '--id', 'shop');
  return postern;
}

test('rule create, list, show, update, move and delete', async () => {
  const postern = await shop();
  const create = (name: string, ...more: string[]) =>
    postern('rule', 'create', ...PROJECT, '--name', name, ...more, '--json');
  const first = await create(
    ...(['Night Öwls', '--when', 'time.hour < 5', '--then', 'flag', '--mode', 'shadow'] as const),
    ...['--note', 'They buy nothing', '--message', 'Come back tomorrow.', '--expires-in', '30d'],
  );
  expect([first.code, first.error]).toEqual([0, '']);
  expect(first.json).toMatchObject({
    id: 'night_owls',
    name: 'Night Öwls',
    when: 'time.hour < 5',
    then: 'flag',
    mode: 'shadow',
    note: 'They buy nothing',
    message: 'Come back tomorrow.',
    expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
    changedBy: 'cli',
  });
  await create('Roles', '--when', 'email.role', '--then', 'block', '--id', 'roles');
  await create('Friends', '--when', 'ip.country == "DE"', '--then', 'allow', '--before', 'roles');
  const list = await postern('rule', 'list', ...PROJECT, '--json');
  expect(idsOf(list.json)).toEqual(['night_owls', 'friends', 'roles']);
  expect((await postern('rule', 'list', ...PROJECT)).out).toMatch(
    /night_owls +Night Öwls +flag +shadow +time/,
  );

  const moved = await postern('rule', 'move', 'roles', ...PROJECT, '--before', 'night_owls', '--json');
  expect(idsOf(moved.json)).toEqual(['roles', 'night_owls', 'friends']);
  const last = await postern('rule', 'move', 'roles', ...PROJECT, '--json');
  expect(idsOf(last.json)).toEqual(['night_owls', 'friends', 'roles']);

  const updated = await postern(
    ...['rule', 'update', 'night_owls', ...PROJECT, '--mode', 'live', '--then', 'block'],
    ...['--note', '', '--expires-in', 'never', '--json'],
  );
  expect(updated.json).toMatchObject({ mode: 'live', then: 'block', message: 'Come back tomorrow.' });
  expect(updated.json).not.toHaveProperty('note');
  expect(updated.json).not.toHaveProperty('expiresAt');
  expect((await postern('rule', 'show', 'night_owls', ...PROJECT, '--json')).json).toMatchObject(
    updated.json,
  );
  expect((await postern('rule', 'show', 'night_owls', ...PROJECT)).out).toMatch(/when +time\.hour < 5/);

  expect((await postern('rule', 'delete', 'friends', ...PROJECT, '--json')).json).toEqual({
    id: 'friends',
    deleted: true,
  });
  expect(idsOf((await postern('rule', 'list', ...PROJECT, '--json')).json)).toEqual(['night_owls', 'roles']);
});

test('a rule that is wrong is refused with the place, and nothing is saved', async () => {
  const postern = await shop();
  const create = (...more: string[]) => postern('rule', 'create', ...PROJECT, '--name', 'R', ...more);
  const wrong = await create('--when', 'email.role &&\n ip.asn == "x"', '--then', 'flag');
  expect([wrong.code, wrong.error]).toEqual([2, expect.stringMatching(/Line 2, column 2: .*without quotes/)]);
  const odd = await create('--id', 'odd', '--when', 'ip.country == "uk"', '--then', 'flag', '--json');
  expect([odd.code, odd.json.id, odd.error]).toEqual([
    0,
    'odd',
    'Warning: line 1, column 15: ip.country is never “uk”. Write “GB”.\n',
  ]);
  await postern('rule', 'delete', 'odd', ...PROJECT);
  expect((await create('--when', 'true', '--then', 'maybe')).code).toBe(2);
  expect((await create('--when', 'true', '--then', 'flag', '--before', 'nobody')).code).not.toBe(0);
  expect((await create('--when', 'inList("none", email.domain)', '--then', 'flag')).error).toMatch(
    /Line 1, column 8: There is no list 'none'/,
  );
  expect((await postern('rule', 'show', 'nobody', ...PROJECT)).code).toBe(1);
  expect((await postern('rule', 'list', ...PROJECT, '--json')).json).toEqual([]);
});

test('api changes the named lists, with the same checks as the pages', async () => {
  const postern = await shop();
  const lists = (call: string, body?: object) =>
    postern('api', call, ...(body === undefined ? [] : ['--body', JSON.stringify(body)]));
  const friends = '/projects/shop/named-lists/friends';
  await lists('POST /projects/shop/named-lists', { name: 'friends' });
  const entries = [{ value: 'Example.com', note: 'ours', expiresAt: Date.now() + 1e8 }, { value: 'AS64500' }];
  expect((await lists(`POST ${friends}`, { add: entries })).json.entries).toMatchObject([
    { value: 'example.com', note: 'ours', author: 'cli' },
    { value: 'AS64500' },
  ]);
  const rule = ['--name', 'R', '--when', 'inList("friends", email.domain)', '--then', 'allow'];
  await postern('rule', 'create', ...PROJECT, ...rule);
  expect((await lists(`DELETE ${friends}`)).error).toMatch(/list 'friends' is used by rules: /);
  await postern('rule', 'delete', 'r', ...PROJECT);
  expect((await lists(`POST ${friends}`, { remove: ['AS64500'] })).json.entries).toMatchObject([
    { value: 'example.com' },
  ]);
  expect((await lists(`DELETE ${friends}`)).code).toBe(0);
  expect((await lists(`POST ${friends}`, { add: [] })).code).toBe(1);
  expect((await lists('POST /projects/shop/named-lists', { name: 'block' })).code).toBe(2);
});

test('rule test, check and the file check use the rules of the running service', async () => {
  const service = await startService();
  try {
    const project = await service.makeProject();
    const settings = { POSTERN_DATA_DIR: service.dataDir, POSTERN_DNS_SERVERS: service.dns.address };
    const postern = posternOn(settings);
    const of = ['--project', project.id];
    const when = 'email.domain == "mail-house.net" && !ip.known';
    await project.validate({ email: 'jane.doe@mail-house.net' });
    await project.validate({ email: 'sam.rivera@gmail.com' });
    const tried = await postern('rule', 'test', ...of, '--when', when, '--days', '1', '--json');
    expect(tried.json).toMatchObject({ considered: 2, matches: 1, known: 0, bad: 0, good: 0 });
    expect(tried.json.examples).toMatchObject([{ domain: 'mail-house.net' }]);
    expect((await postern('rule', 'test', ...of, '--when', 'nope')).error).toMatch(/Line 1, column 1/);
    const rule = [
      '--id',
      'house',
      '--name',
      'House',
      '--when',
      when,
      '--then',
      'block',
      '--message',
      'Not here.',
    ];
    await postern('rule', 'create', ...of, ...rule);
    const expected = { recommendation: 'block', signals: ['rule_house'], message: 'Not here.' };
    expect((await project.validate({ email: 'lee.house@mail-house.net' })).json).toMatchObject(expected);
    const checked = await posternOn(settings)('check', 'lee.house@mail-house.net', ...of, '--json');
    expect(checked.json.results).toMatchObject([expected]);
    const admin = await member(service, 'admin');
    const bulk = await admin.post(`/projects/${project.id}/bulk`, {
      rows: [{ email: 'lee.house@mail-house.net' }, { email: 'lee.house@mail-house.net', ip: '81.2.69.1' }],
    });
    expect(bulk.text).toMatch(/"index":0,"recommendation":"block"/);
    expect(bulk.text).toMatch(/"index":1,"recommendation":"allow"/);
    const playground = await admin.post(`/projects/${project.id}/playground`, {
      email: 'lee.house@mail-house.net',
    });
    expect(playground.json.body).toMatchObject(expected);
  } finally {
    await service.close();
  }
}, 300_000);

test('rules, named lists and the history of the policy are in an export and in a backup', async () => {
  const folder = await freshFolder();
  const full = posternOn({ POSTERN_DATA_DIR: join(folder, 'full') });
  const empty = posternOn({ POSTERN_DATA_DIR: join(folder, 'empty') });
  await full('project', 'create', '--id', 'shop');
  const named = '/projects/shop/named-lists';
  await full('api', `POST ${named}`, '--body', '{"name": "friends"}');
  const add = { add: [{ value: 'example.com' }, { value: 'jane@example.org' }] };
  await full('api', `POST ${named}/friends`, '--body', JSON.stringify(add));
  const rule = ['--name', 'Friends', '--when', 'inList("friends", email.domain)', '--then', 'allow'];
  await full('rule', 'create', ...PROJECT, ...rule, '--reason', 'Partners');
  const state = async (postern: Postern) => ({
    rules: (await postern('rule', 'list', ...PROJECT, '--json')).json,
    friends: (await postern('api', `GET ${named}`)).json,
    history: (await postern('api', 'GET /projects/shop/policy-history')).json.rows,
  });
  const before = await state(full);
  expect(before.history).toHaveLength(2);
  const [file, backup] = [join(folder, 'all.jsonl'), join(folder, 'backup.db')];
  await full('export', file);
  await full('backup', backup);
  // A rule that could not be saved is refused, and the rest of the file with it.
  const broken = (await readFile(file, 'utf8')).replace(/\["project",.*/, (line) =>
    line.replace('email.domain)', 'email.domain) = 1'),
  );
  await writeFile(`${file}.broken`, broken);
  const refused = await empty('import', `${file}.broken`);
  expect([refused.code, refused.error]).toEqual([
    1,
    expect.stringMatching(
      /Line \d+ of the export, project shop: Rule 1 \(friends\): Line 1, column 33: Write == to compare\. Nothing was imported\./,
    ),
  ]);
  expect((await empty('project', 'list', '--json')).json).toEqual([]);
  expect((await empty('import', file, '--json')).json.rows).toMatchObject({ project: 1, policy_version: 2 });
  expect(await state(empty)).toEqual(before);
  await full('rule', 'delete', 'friends', ...PROJECT);
  expect((await full('restore', backup, '--yes')).code).toBe(0);
  expect(await state(full)).toEqual(before);
});
