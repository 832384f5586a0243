import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder, posternOnFreshStore } from './support/postern.ts';

test('project create --json prints the project and nothing else', async () => {
  const postern = await posternOnFreshStore();
  const { code, out, error, json } = await postern(
    ...['project', 'create', '--id', 'shop', '--name', 'Web shop', '--plan', 'pro', '--quota', '40'],
    ...['--allow-domain', 'example.com', '--allow-domain', '*.example.com'],
    ...['--rate-client', '7', '--rate-server', '9', '--json'],
  );
  expect([code, error]).toEqual([0, '']);
  expect(out.trimStart()).toBe(out);
  expect(json).toMatchObject({
    id: 'shop',
    name: 'Web shop',
    allowedDomains: ['example.com', '*.example.com'],
    plan: 'pro',
    quotaLimit: 40,
    quotaUsed: 0,
    rateClient: 7,
    rateServer: 9,
    archivedAt: null,
  });
});

test('project list shows the new project, as a table and as JSON', async () => {
  const postern = await posternOnFreshStore();
  expect((await postern('project', 'list')).out).toContain('No projects yet');
  expect((await postern('project', 'list', '--json')).json).toEqual([]);
  await postern('project', 'create', '--name', 'First');
  await postern('project', 'create', '--name', 'Second');
  const list = await postern('project', 'list', '--json');
  expect(list.json.map((project: { id: string }) => project.id)).toEqual(['first', 'second']);
  expect((await postern('project', 'list')).out).toMatch(/^ID +NAME .*\nfirst +First .*\nsecond +Second /);
});

test('project update replaces messages by language and check, and brings them back', async () => {
  const postern = await posternOnFreshStore();
  await postern('project', 'create', '--id', 'shop');
  const own = await postern(
    ...['project', 'update', 'shop', '--message-language', 'de', '--message', 'mx=a=b'],
    ...['--message', 'de.mx=Nein.', '--message', 'de.disposable=Bitte nicht.', '--json'],
  );
  expect(own.json.policy).toMatchObject({
    messageLanguage: 'de',
    messages: { en: { mx: 'a=b' }, de: { mx: 'Nein.', disposable: 'Bitte nicht.' } },
  });
  const back = await postern('project', 'update', 'shop', '--message', 'de.mx=', '--json');
  expect(back.json.policy.messages).toEqual({ en: { mx: 'a=b' }, de: { disposable: 'Bitte nicht.' } });
  for (const wrong of ['nonsense', 'xx.mx=No', 'de.spam=No', 'de.mx=<b>'])
    expect((await postern('project', 'update', 'shop', '--message', wrong)).code).not.toBe(0);
});

test('project update changes only the given fields', async () => {
  const postern = await posternOnFreshStore();
  const { json: before } = await postern('project', 'create', '--id', 'shop', '--json');
  const { json: after } = await postern(
    ...['project', 'update', 'shop', '--add-domain', 'example.com', '--remove-domain', 'localhost:*'],
    ...['--action', 'ip=block', '--action', 'alias=off', '--relays', 'fail', '--client-overrides', 'tighten'],
    ...['--device-threshold', '5', '--retention-days', '30', '--log-retention-days', '7'],
    ...['--always-block', 'Spam.example', '--json'],
  );
  const { alias: _, ...actions } = before.policy.actions;
  expect(after).toEqual({
    ...before,
    allowedDomains: ['example.com'],
    policy: {
      ...before.policy,
      actions: { ...actions, ip: 'block' },
      relays: 'fail',
      clientOverrides: 'tighten',
      deviceThreshold: 5,
    },
    retentionDays: 30,
    logRetentionDays: 7,
    blockList: [{ value: 'spam.example', author: 'cli' }],
  });
  expect(await postern('project', 'update', 'shop', '--unlist', 'spma.example')).toMatchObject({
    code: 2,
    error: expect.stringContaining("--unlist 'spma.example' is on neither the allow nor the block list."),
  });
  const back = await postern('project', 'update', 'shop', '--log-retention-days', 'installation', '--json');
  expect(back.json.logRetentionDays).toBe(null);
  const { json: unlisted } = await postern('project', 'update', 'shop', '--unlist', 'SPAM.example', '--json');
  expect(unlisted.blockList).toEqual([]);
  expect((await postern('project', 'list', '--json')).json).toEqual([unlisted]);
  const { json: archived } = await postern('project', 'update', 'shop', '--archive', '--json');
  expect(archived.archivedAt).toMatch(/^\d{4}-.*Z$/);
});

test.each([
  ['an ID that is none', ['project', 'create', '--id', 'a b'], 2, /1 to 64 letters/],
  ['an unknown plan', ['project', 'create', '--plan', 'gold'], 2, /free, pro, scale/],
  ['a quota that is no number', ['project', 'create', '--quota', 'many'], 2, /--quota takes a whole number/],
  ['an invalid pattern', ['project', 'create', '--allow-domain', 'a/b'], 2, /\*\.example\.com/],
  ['an action that is none', ['project', 'create', '--action', 'mx'], 2, /check=action/],
  ['an unknown project', ['project', 'update', 'nobody', '--name', 'x'], 1, /no project 'nobody'/],
  ['an unknown option', ['project', 'create', '--colour', 'red'], 2, /unknown option '--colour'/],
])('%s ends in one clear line and exit code', async (_, args, exitCode, message) => {
  const postern = await posternOnFreshStore();
  for (const extra of [[], ['--json']]) {
    const { code, out, error } = await postern(...args, ...extra);
    expect([code, out]).toEqual([exitCode, '']);
    expect(error).toMatch(message);
    expect(error).not.toMatch(/\n\s+at /);
  }
});

test('an ID that already exists is refused', async () => {
  const postern = await posternOnFreshStore();
  await postern('project', 'create', '--id', 'shop');
  const { code, error } = await postern('project', 'create', '--id', 'shop');
  expect(code).toBe(1);
  expect(error).toContain('shop');
});

test('a star directly under a public suffix is refused; under a shared host it gives a warning', async () => {
  const postern = await posternOnFreshStore();
  const refused = await postern('project', 'create', '--id', 'wide', '--allow-domain', '*.com');
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.error).toContain('*.com would let in anyone who registers a name under com');
  const shared = await postern(
    'project',
    'create',
    '--id',
    'shared',
    '--allow-domain',
    '*.vercel.app',
    '--json',
  );
  expect([shared.code, shared.json.allowedDomains]).toEqual([0, ['*.vercel.app']]);
  expect(shared.error).toMatch(/Warning: .*anyone who has a name under vercel\.app/);
  const added = await postern('project', 'update', 'shared', '--add-domain', '*.co.uk');
  expect(added.code).toBe(2);
});

test('project delete needs an archived project and --yes; a moved project keeps its settings and keys', async () => {
  const [first, second] = [await posternOnFreshStore(), await posternOnFreshStore()];
  const folder = await freshFolder();
  await first('project', 'create', '--id', 'shop', '--quota', '40');
  await first('key', 'create', '--project', 'shop', '--type', 'server');
  const cell = join(folder, 'cell.jsonl');
  const moved = join(folder, 'shop.jsonl');
  await first('export', '--project', 'shop', moved);
  const refused = await second('import', moved);
  expect([refused.code, refused.error]).toEqual([
    1,
    expect.stringContaining('hashes addresses with another key'),
  ]);
  await first('export', '--no-projects', cell);
  expect((await second('import', cell, '--json')).json.rows).toMatchObject({ project: 0, secret: 1 });
  expect((await second('import', moved, '--json')).json).toMatchObject({
    project: 'shop',
    rows: { api_key: 1 },
  });
  for (const noun of ['project', 'key'])
    expect((await second(noun, 'list', '--json')).json).toEqual((await first(noun, 'list', '--json')).json);

  expect((await first('project', 'delete', 'shop')).error).toContain('--yes');
  expect((await first('project', 'delete', 'shop', '--yes')).error).toContain('Archive it first');
  await first('project', 'update', 'shop', '--archive');
  expect((await first('project', 'delete', 'shop', '--yes')).code).toBe(0);
  expect((await first('project', 'list', '--json')).json).toEqual([]);
  expect((await first('export', '--project', 'shop', moved)).error).toContain('There is no project');
});
