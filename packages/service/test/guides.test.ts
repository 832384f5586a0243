import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { lookForAlerts } from '../src/events/alerts.ts';
import type { openStore } from '../src/open-store.ts';
import { type DashboardClient, member } from './support/dashboard.ts';
import { compile, copyPackages, type Edit, followGuide, posternOf } from './support/guided-copy.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

const run = promisify(execFile);

const CHECK: readonly Edit[] = [
  { file: 'contract/src/checks.ts', after: /export const CHECK_NAMES = .*\n/, replaces: true },
  { file: 'contract/src/checks.ts', after: "  ip: 'flag',\n" },
  { file: 'contract/src/signals.ts', after: 'export const SIGNALS = {\n' },
  { file: 'contract/src/languages/english.ts', after: / {2}ip: .*\n/ },
  { file: 'contract/src/check-metadata.ts', after: 'export const CHECK_METADATA = {\n' },
  { file: 'contract/src/explain-check.ts', after: /const EXPLANATIONS: .*\n/ },
  { file: 'service/src/checks/length/length-check.ts' },
  { file: 'service/src/checks/built-in-checks.ts', after: /^/ },
  { file: 'service/src/checks/built-in-checks.ts', after: '    device: deviceCheck,\n' },
  {
    file: 'service/src/checks/sandbox-address.ts',
    after: "  mx: { local: 'mx', signals: ['no_mx_records'] },\n",
  },
  { file: 'dashboard/src/components/check-names.ts', after: /export const CHECKS: .* = \{\n/ },
];
const EVENT: readonly Edit[] = [
  { file: 'contract/src/webhooks.ts', after: 'export const WEBHOOK_EVENTS = {\n' },
  { file: 'service/src/events/alerts.ts', after: / {6}for .*rotationDue\(.*\n/ },
  { file: 'service/src/events/alerts.ts', after: /$/ },
  { file: 'dashboard/src/pages/events/alerts-page.tsx', after: /const ICONS: .* = \{\n/ },
];
const COMMAND: readonly Edit[] = [{ file: 'cli/src/operation-commands.ts', after: /const RULES: .* = \[\n/ }];

let copy: string;
let service: TestService;
let project: TestProject;
let owner: DashboardClient;

beforeAll(async () => {
  copy = await copyPackages();
  await followGuide(copy, 'adding-a-check.md', CHECK);
  await followGuide(copy, 'adding-an-event.md', EVENT);
  await followGuide(copy, 'adding-a-command.md', COMMAND);
  await compile(copy);
  service = await startService({ main: join(copy, 'packages/service/dist/bundle/main.js') });
  project = await service.makeProject();
  owner = await member(service, 'owner');
}, 300_000);
afterAll(async () => {
  await service?.close();
  await rm(copy, { recursive: true, force: true });
});

const postern = (...args: string[]) =>
  posternOf(copy, args, { ...service.env, POSTERN_DATA_DIR: service.dataDir });
const email = `${'x'.repeat(50)}@mail-house.net`;

describe('an eighth check, added as the guide says', () => {
  it('is in the answer and decides it', async () => {
    const { json } = await project.validate({ email, validations: { syntax: 'block', length: 'block' } });
    expect(json).toMatchObject({
      recommendation: 'block',
      message: 'Please use a shorter email address.',
      signals: ['long_local_part'],
      checks: { length: { pass: false, metadata: { characters: 50 } } },
    });
  });

  it('has an English message for people whose language has none yet', async () => {
    const { json, headers } = await project.validate({
      email,
      validations: { length: 'block' },
      locale: 'de',
    });
    expect(json.message).toBe('Please use a shorter email address.');
    expect(headers['content-language']).toBe('en');
  });

  it('is in the log, which can be filtered by it', async () => {
    const { json } = await owner.get(`/projects/${project.id}/validations?check=length`);
    expect(json.rows).toHaveLength(2);
    expect(json.rows[0]).toMatchObject({
      recommendation: 'block',
      failed: ['length'],
      signals: ['long_local_part'],
    });
  });

  it('is in the time machine', async () => {
    const { status, json } = await owner.post(`/projects/${project.id}/time-machine`, {
      policy: { actions: { length: 'flag' } },
    });
    expect(status).toBe(200);
    // The requests asked for `block` themselves. The policy of today has no action for the check.
    expect(json.changes).toMatchObject([{ from: 'allow', to: 'flag', count: 2 }]);
    expect(json.otherThen.count).toBe(2);
  });

  it('is in the OpenAPI document and in the docs', async () => {
    const { text } = await service.ask({ path: '/openapi.json' });
    expect(text).toContain('LengthResult');
    expect(text).toContain('long_local_part');
    await run(process.execPath, ['scripts/docs.mjs'], { cwd: copy });
    const docs = await readFile(join(copy, 'docs/api.md'), 'utf8');
    expect(docs).toContain('| `long_local_part` | `length` |');
    expect(docs).toContain('`length@postern.test`');
    expect(await readFile(join(copy, 'docs/webhooks.md'), 'utf8')).toContain('| `key.expiring` |');
  });

  it('is explained by the command line', async () => {
    expect(await postern('check', email)).toContain('50 characters before the @');
  });
});

describe('an event, added as the guide says', () => {
  it('is written once, listed with the alerts and sent to webhooks', async () => {
    const webhook = await owner.post(`/projects/${project.id}/webhooks`, {
      url: 'https://hooks.example/postern',
      events: ['key.expiring'],
    });
    expect(webhook.status).toBe(201);
    const { json: key } = await owner.post(`/projects/${project.id}/keys`, {
      type: 'server',
      name: 'short-lived',
      expiresInDays: 3,
    });
    await look();
    await look();
    const { json: events } = await owner.get(`/projects/${project.id}/events`);
    expect(events.rows).toMatchObject([{ type: 'key.expiring', data: { keyId: key.id } }]);
    const id = webhook.json.id ?? webhook.json.webhook.id;
    const { json: deliveries } = await owner.get(`/webhooks/${id}/deliveries`);
    expect(deliveries.rows).toMatchObject([{ type: 'key.expiring' }]);
  });

  /** What the service does once a minute. */
  async function look(): Promise<void> {
    const load = (file: string) =>
      import(pathToFileURL(join(copy, 'packages/service/dist', file)).href) as Promise<unknown>;
    const open = (await load('open-store.js')) as { openStore: typeof openStore };
    const alerts = (await load('events/alerts.js')) as { lookForAlerts: typeof lookForAlerts };
    const store = await open.openStore({ databaseUrl: undefined, dataDir: service.dataDir });
    await alerts.lookForAlerts({
      store,
      logFault: () => {},
      now: Date.now,
      staleFeeds: async () => [],
    });
    await store.close();
  }
});

describe('a command, added as the guide says', () => {
  it('is named by the help', async () => {
    expect(await postern('rule', '--help')).toMatch(/^ {2}history .* show who changed the policy/m);
  });

  it('prints its result for people and for programs', async () => {
    const rule = ['--project', project.id, '--name', 'Roles', '--when', 'email.role', '--then', 'flag'];
    await postern('rule', 'create', ...rule);
    const args = ['rule', 'history', '--project', project.id];
    expect(await postern(...args)).toContain('Rule roles (Roles) is new');
    const [newest] = JSON.parse(await postern(...args, '--json'));
    expect(newest).toMatchObject({ changes: ['Rule roles (Roles) is new: flag if email.role.'] });
  });
});
