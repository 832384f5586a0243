import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configurationSchema } from '@postern/contract/configuration';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { member } from '../../service/test/support/dashboard.ts';
import { sharedPostgresServer } from '../../service/test/support/postgres.ts';
import { startService } from '../../service/test/support/service.ts';
import { type BackEnd, USUAL_BACK_ENDS } from '../../service/test/support/service-on.ts';
import { slowInsert } from '../../service/test/support/slow-insert.ts';
import { applying } from './support/applying.ts';
import { freshFolder, posternOn, posternProcess, startPostern } from './support/postern.ts';

const SHOP = `project: shop
name: Web shop
allowedDomains: [shop.example]
rateClient: 2000
allowList:
  - partner.example
  - { value: jane@example.com, note: First customer, expiresAt: 2027-01-31 }
policy:
  actions: { ip: block, roleEmail: off }
  messages: { de: { disposable: Bitte eine andere Adresse. } }
rules:
  - { id: known_bad, name: Known bad, when: 'inList("bad", email.domain)', then: block }
  - { id: elsewhere, name: Elsewhere, when: ip.country != "DE", then: flag, mode: shadow }
namedLists:
  bad: [spam.example]
webhooks:
  - url: https://shop.example/hooks
    events: [validation.blocked]
`;
const BLOG = 'project: blog\nretentionDays: 7\nlogRetentionDays: 5\n';

const PROGRAM = fileURLToPath(new URL('../bin/postern.mjs', import.meta.url));
const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const work of cleanUp) await work();
});

async function settingsOn(backEnd: BackEnd): Promise<Record<string, string>> {
  const folder = await freshFolder();
  if (backEnd === 'sqlite') return { POSTERN_DATA_DIR: folder };
  const server = await sharedPostgresServer();
  cleanUp.push(() => server.remove());
  return { POSTERN_DATA_DIR: folder, POSTERN_DATABASE_URL: (await server.database()).url };
}

describe.each(USUAL_BACK_ENDS)('apply on %s', (backEnd) => {
  test('changes once, shows what would change before, and exports what it reads', async () => {
    const settings = await settingsOn(backEnd);
    const postern = posternOn(settings);
    const planned = await applying(settings, `${SHOP}---\n${BLOG}`, '--dry-run');
    expect(planned.code).toBe(2);
    expect(planned.out).toContain('+ shop: a new project\n');
    expect(planned.out).toContain('~ shop rateClient: 2000, was 1000\n');
    expect((await postern('project', 'list', '--json')).json).toEqual([]);

    const first = await applying(settings, `${SHOP}---\n${BLOG}`, '--as', 'pipeline', '--json');
    expect(first).toMatchObject({ code: 0, json: { applied: true } });
    expect(first.json.issued).toMatchObject([
      { projectId: 'shop', secret: expect.stringMatching(/^whsec_/) },
    ]);
    const { json: projects } = await postern('project', 'list', '--json');
    const shop = projects.find(({ id }: { id: string }) => id === 'shop');
    expect(shop).toMatchObject({
      name: 'Web shop',
      rateClient: 2000,
      policy: { actions: { ip: 'block' }, messages: { de: { disposable: 'Bitte eine andere Adresse.' } } },
    });
    expect(shop.policy.actions).not.toHaveProperty('roleEmail');

    for (const options of [[], ['--dry-run'], ['--prune', '--dry-run']])
      expect(await applying(settings, `${SHOP}---\n${BLOG}---\n`, ...options)).toMatchObject({
        code: 0,
        out: 'No differences.\n',
      });
    for (const form of [[], ['--json']]) {
      const exported = (await postern('config', 'export', ...form)).out;
      expect(exported).not.toContain('whsec_');
      expect(await applying(settings, exported, '--dry-run', '--prune')).toMatchObject({ code: 0 });
    }
  });

  test('keeps what a file does not name, and takes it away with --prune', async () => {
    const settings = await settingsOn(backEnd);
    const postern = posternOn(settings);
    await applying(settings, `${SHOP}---\n${BLOG}`);
    await postern(
      'rule',
      'create',
      '--project',
      'shop',
      '--id',
      'own',
      '--name',
      'Own',
      '--when',
      'ip.asn == 1',
      '--then',
      'flag',
    );
    await postern('project', 'update', 'shop', '--always-block', 'rude.example', '--rate-server', '7');
    const webhook = ['--project', 'shop', '--url', 'https://shop.example/second'];
    await postern('webhook', 'create', ...webhook);

    expect(await applying(settings, SHOP)).toMatchObject({ code: 0, out: 'No differences.\n' });
    const plan = await applying(settings, SHOP, '--prune', '--dry-run');
    expect(
      plan.out
        .split('\n')
        .filter((line) => /^[-~+]/.test(line))
        .sort(),
    ).toEqual([
      '- shop blockList.rude.example',
      '- shop rules.own.mode: live',
      '- shop rules.own.name: Own',
      '- shop rules.own.then: flag',
      '- shop rules.own.when: ip.asn == 1',
      expect.stringMatching(
        /^- shop webhooks\.https:\/\/shop\.example\/… \(wh_\w+\): \{"events":"\*","format":"standard"\}$/,
      ),
      '~ blog archived: true, was false',
      '~ shop rateServer: 5000, was 7',
    ]);
    await applying(settings, SHOP, '--prune');
    const projects = (await postern('config', 'export', '--json')).json;
    const [blog, shop] = ['blog', 'shop'].map((id) =>
      projects.find(({ project }: { project: string }) => project === id),
    );
    expect(shop.rules.map(({ id }: { id: string }) => id)).toEqual(['known_bad', 'elsewhere']);
    expect(shop.webhooks).toHaveLength(1);
    expect([blog.archived, blog.retentionDays, blog.logRetentionDays]).toEqual([true, 7, 5]);
    expect((await applying(settings, SHOP, '--prune', '--dry-run')).code).toBe(0);
  });

  test('applies all documents or none, and four at the same time leave one result', async () => {
    const settings = await settingsOn(backEnd);
    const postern = posternOn(settings);
    const half = await applying(settings, `${SHOP}---\nproject: blog\nplan: gold\n`);
    expect([half.code, (await postern('project', 'list', '--json')).json]).toEqual([1, []]);

    await applying(settings, SHOP);
    const race = await Promise.all(
      [1, 2, 3, 4].map((number) => {
        const text = `${SHOP.replace('2000', '3000')}  - { url: 'https://shop.example/new' }\n---\n${BLOG}`;
        return posternProcess(settings, text)('apply', '--as', `process-${number}`, '--json');
      }),
    );
    expect(race.map(({ code, error }) => [code, error])).toEqual(race.map(() => [0, '']));
    const changed = race.filter(({ json }) => json.differences.length > 0);
    expect(changed).toHaveLength(1);
    expect(changed[0]?.json.issued).toHaveLength(1);
    const [shop] = (await postern('config', 'export', '--json')).json;
    expect(shop.webhooks.map(({ url }: { url: string }) => url)).toEqual([
      'https://shop.example/hooks',
      'https://shop.example/new',
    ]);
  });

  test('leaves nothing of a file when the process is killed while it writes', async () => {
    const settings = await settingsOn(backEnd);
    const postern = posternOn(settings);
    await postern('project', 'create', '--id', 'docs', '--rate-client', '5');
    // The documents are written in the order of their IDs: blog and docs are in the transaction, shop is not yet.
    const files = `${BLOG}---\nproject: docs\nrateClient: 6\n---\n${SHOP}`;
    const slow = await slowInsert(settings, 'project', "NEW.id = 'shop'");
    const killed = startPostern(settings, files, 'apply', '--as', 'killed');
    const closed = once(killed, 'close');
    await slow.reached();
    killed.kill('SIGKILL');
    expect(await closed).toEqual([null, 'SIGKILL']);
    await slow.end();
    const left = (await postern('config', 'export', '--json')).json;
    expect(left).toMatchObject([{ project: 'docs', rateClient: 5, webhooks: [] }]);
    expect((await postern('audit', 'verify')).code).toBe(0);
    // Nothing is in the way of the next attempt.
    expect((await applying(settings, files)).code).toBe(0);
    expect((await applying(settings, files, '--dry-run')).code).toBe(0);
  });
});

test.each([
  [
    'an unknown field',
    'project: shop\nnome: Shop\n',
    "shop.yaml:2:7: nome: Unknown field: 'nome'. Known fields: project, name,",
  ],
  [
    'an unknown check',
    'project: shop\npolicy:\n  actions:\n    spam: block\n',
    'shop.yaml:4:11: policy.actions.spam: Check',
  ],
  [
    'a wrong type',
    'project: shop\nrateClient: many\n',
    'shop.yaml:2:13: rateClient: Client key rate must be',
  ],
  [
    'two documents of one project',
    `${BLOG}---\n${BLOG}`,
    "shop.yaml:5:10: project: There are two documents of 'blog'. The first is at",
  ],
  ['a document without a project', 'name: Shop\n', 'shop.yaml:1:1: project: A document needs `project`'],
  [
    'half a condition',
    'project: shop\nrules:\n  - id: a\n    name: A\n    when: ip.asn ==\n    then: flag\n',
    'shop.yaml:5:11: rules.0.when: Line 1',
  ],
  [
    'a list that is missing',
    'project: shop\nrules:\n  - { id: a, name: A, when: \'inList("b", email.tld)\', then: flag }\n',
    "shop.yaml:1:10: project: Rule 1 (a): Line 1, column 8: There is no list 'b'.",
  ],
  [
    'more rules than a project may have',
    `project: shop\nname: Shop\nrules:\n${Array.from({ length: 101 }, (_, index) => `  - { id: r${index}, name: A, when: email.role, then: flag }\n`).join('')}`,
    'shop.yaml:4:3: rules: A project has at most 100 rules; got 101.',
  ],
  ['an entry twice', 'project: shop\nblockList: [a.example, A.example]\n', 'shop.yaml:2:24: blockList.1: '],
  [
    'a secret in the file',
    'project: shop\nwebhooks:\n  - url: https://a.example\n    secret: whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n',
    'shop.yaml:4:13: webhooks.0.secret: A secret is never in a file.',
  ],
  [
    'a variable that is not set',
    `project: shop\nwebhooks:\n  - url: https://a.example/\${NO_WEBHOOK}\n`,
    'The environment variable NO_WEBHOOK is not set.',
  ],
  ['broken YAML', 'project: [shop\n', 'shop.yaml:'],
  ['a key twice', 'project: shop\nproject: blog\n', 'shop.yaml:2:1: '],
  ['an empty file', '# nothing\n', 'shop.yaml: There is no document in it.'],
  [
    'a secret that is not set',
    'project: shop\nwebhooks:\n  - url: https://a.example\n    secret: ${SHOP_WEBHOOK_SECRET}\n',
    'shop.yaml:4:13: webhooks.0.secret: The environment variable SHOP_WEBHOOK_SECRET is not set.',
  ],
  [
    'another variable of the environment',
    'project: shop\nwebhooks: [{ url: "https://a.example/?t=${GITHUB_TOKEN}" }]\n',
    '${GITHUB_TOKEN}: only variables with WEBHOOK in their name can be used',
  ],
  [
    'a setting of the service',
    'project: shop\nwebhooks: [{ url: "https://a.example/?t=${POSTERN_WEBHOOK_ALLOW}" }]\n',
    'none that begins with POSTERN_',
  ],
])('refuses %s, with its place', async (_, text, message) => {
  const folder = await freshFolder();
  const file = join(folder, 'shop.yaml');
  await writeFile(file, text);
  const { code, out, error } = await posternOn({ POSTERN_DATA_DIR: folder })('apply', file, '--dry-run');
  expect([code, out]).toEqual([1, '']);
  expect(error.replaceAll(`${folder}/`, '')).toContain(message);
  expect(error).not.toContain('c2VjcmV0');
});

test('names all faults of all documents in one run', async () => {
  const shop = `project: shop
nome: Shop
nmae: Shop
plan: gold
blockList: [nonsense]
rules:
  - { id: a, name: A, when: ip.asn ==, then: flag, expiresAt: soon }
webhooks: [{ url: nowhere }, { url: https://a.example, event: x }]
`;
  const { code, error } = await applying({ POSTERN_DATA_DIR: await freshFolder() }, `${shop}---\nname: 5\n`);
  const places = error.split('\n').flatMap((line) => /^.*?:(\d+:\d+: [^:]*)/.exec(line)?.[1] ?? []);
  expect([code, places]).toEqual([
    1,
    [
      '8:63: webhooks.1.event',
      '2:7: nome',
      '3:7: nmae',
      '7:63: rules.0.expiresAt',
      '4:7: plan',
      '5:13: blockList.0',
      '7:29: rules.0.when',
      '8:19: webhooks.0.url',
      '10:1: project',
      '10:7: name',
    ],
  ]);
});

test('what an empty store exports can be applied, but not with --prune', async () => {
  const settings = { POSTERN_DATA_DIR: await freshFolder() };
  const { out } = await posternOn(settings)('config', 'export');
  expect(await applying(settings, out)).toMatchObject({ code: 0, out: 'No differences.\n' });
  expect((await applying(settings, out, '--prune')).error).toMatch(/would archive every project/);
});

test('entries that a file adds to lists are in timelines, as those that people add', async () => {
  const service = await startService();
  const { id } = await service.makeProject();
  const settings = { POSTERN_DATA_DIR: service.dataDir };
  expect(
    (await applying(settings, `project: ${id}\nblockList: [spam.example]\n`, '--as', 'pipeline')).code,
  ).toBe(0);
  const analyst = await member(service, 'analyst');
  const timeline = (await analyst.get(`/projects/${id}/timeline?subject=spam.example`)).json;
  expect(timeline.entries).toMatchObject([{ kind: 'block_list', actor: 'cli:pipeline' }]);
  await service.close();
});

test('the schema for editors accepts what apply accepts and refuses what it refuses', async () => {
  const { json: schema } = await posternOn({})('config', 'schema');
  expect(schema).toEqual(JSON.parse(JSON.stringify(configurationSchema())));
  const accepts = new Ajv2020({ strict: false }).compile(schema);
  expect(accepts(parse(SHOP))).toBe(true);
  const settings = { POSTERN_DATA_DIR: await freshFolder() };
  await applying(settings, SHOP);
  for (const document of parseAllDocuments((await posternOn(settings)('config', 'export')).out))
    expect([accepts(document.toJS()), accepts.errors]).toEqual([true, null]);
  for (const wrong of [
    'nome: a',
    'rateClient: many',
    'policy: { spam: 1 }',
    'rules: [{ id: a }]',
    'blockList: [{ val: a }]',
  ])
    expect([wrong, accepts(parse(`project: shop\n${wrong}`))]).toEqual([wrong, false]);
});

/** Runs a step of a pipeline in that folder. `npx postern` is this build’s. Returns the exit status. */
async function runStep(folder: string, settings: Record<string, string>, script: string): Promise<number> {
  const npx = `#!/bin/sh\nshift\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  await writeFile(join(folder, 'bin/npx'), npx, { flag: 'wx', mode: 0o755 }).catch(() => undefined);
  const env = {
    ...settings,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };
  const step = spawn('bash', ['-ec', script], { cwd: folder, env });
  const [status] = await once(step, 'close');
  return status;
}

test('the file of the docs is applied as it stands, and its pipeline does what the page says', async () => {
  const page = await readFile(new URL('../../../docs/configuration-as-code.md', import.meta.url), 'utf8');
  const [, text = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
  const SHOP_WEBHOOK_SECRET = `whsec_${Buffer.from('s'.repeat(24)).toString('base64')}`;
  const settings = { POSTERN_DATA_DIR: await freshFolder(), SHOP_WEBHOOK_SECRET };
  const folder = await freshFolder();
  for (const name of ['postern', 'bin']) await mkdir(join(folder, name));
  const file = join(folder, 'postern/projects.yaml');
  await writeFile(file, text);
  const postern = posternOn(settings);
  // Each step of the pipeline runs as a runner runs it: bash -e.
  const { jobs } = parse(/```yaml\n(name: postern.*?)```/s.exec(page)?.[1] ?? '');
  const step = (job: string) => {
    const { run } = jobs[job].steps.at(-1);
    return runStep(folder, settings, run.replaceAll(/\$\{\{ github\.(\w+) \}\}/g, 'the-$1'));
  };
  expect(await step('plan')).toBe(0);
  expect(await readFile(join(folder, 'summary'), 'utf8')).toContain('+ shop: a new project');
  expect((await postern('project', 'list', '--json')).json).toEqual([]);
  expect(await step('apply')).toBe(0);
  expect((await postern('apply', file, '--prune', '--dry-run')).code).toBe(0);
  expect((await postern('api', 'GET /projects/shop/policy-history')).out).toContain('the-sha');
  await writeFile(join(folder, 'postern/broken.yaml'), 'project: shop\nnome: x\n');
  expect([await step('plan'), await step('apply')]).toEqual([1, 1]);
  await rm(join(folder, 'postern/broken.yaml'));
  // Neither a fault nor a crash passes for a plan.
  await writeFile(join(folder, 'bin/npx'), '#!/bin/sh\nexit 137\n');
  expect(await step('plan')).not.toBe(0);
  await postern('project', 'update', 'shop', '--rate-client', '5');
  expect((await postern('apply', file, '--prune', '--dry-run')).code).toBe(2);
  const [exported] = (await postern('config', 'export', '--json')).json;
  expect(exported).toMatchObject({
    name: 'Web shop',
    plan: 'pro',
    policy: { signals: { new_domain: 'flag' } },
  });
});
