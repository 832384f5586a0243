import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { member } from './support/dashboard.ts';
import { type DatabaseProxy, databaseProxy } from './support/database-proxy.ts';
import { type PostgresServer, type PostgresTestDatabase, sharedPostgresServer } from './support/postgres.ts';
import {
  createKey,
  KNOWN_MAIL,
  startService,
  type TestProject,
  type TestService,
} from './support/service.ts';
import { readAs, type StandIn, standIn } from './support/sign-in-servers.ts';

const PERSON = { email: 'jane.doe@gmail.com' };
const CROOK = { email: 'jane@mailinator.com' };

/** Lets the person in, and says why they were not judged. */
async function expectOpen(server: StandIn, reason: string, signUp = CROOK): Promise<void> {
  const answer = await server.signUp(signUp);
  expect([answer.status, answer.headers['x-postern-open']]).toEqual([200, reason]);
  expect(readAs(server.hook.format, answer)).toEqual({ allowed: true });
}

/** The dashboard says how often and why. */
async function expectShown(service: TestService, { hook }: StandIn, open: object): Promise<void> {
  const owner = await member(service, 'owner');
  const shown = async () => (await owner.get(`/projects/${hook.projectId}/hooks`)).json;
  const mine = expect.objectContaining({ id: hook.id, open });
  await expect.poll(shown).toEqual(expect.arrayContaining([mine]));
}

describe('a hook lets people in', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  it.each(['supabase', 'kratos', 'workos', 'okta', 'zitadel', 'fusionauth', 'generic'] as const)(
    '%s: when the quota is used up',
    async (format) => {
      const project = await service.makeProject({ quotaLimit: 1 });
      const server = await standIn(service, project.id, format);
      expect((await server.signUp(PERSON)).headers).not.toHaveProperty('x-postern-open');
      await expectOpen(server, 'quota');
    },
  );

  it('when the hour is used up, and says so in log, metric and dashboard', async () => {
    const project = await service.makeProject({ rateServer: 1 });
    const server = await standIn(service, project.id, 'supabase');
    await server.signUp(PERSON);
    await expectOpen(server, 'rate');
    await expectShown(service, server, { rate: 1 });
    await expect.poll(service.output).toMatch(/"reason":"rate".*"msg":"a hook allowed without judging"/);
    const { text } = await service.ask({ path: '/metrics' });
    expect(text).toMatch(/postern_hook_open_total\{reason="rate"\} 1/);
    expect(text).toMatch(/postern_hook_answers_total\{format="supabase",result="open"\} \d/);
  });

  it('keeps a project’s other server keys in the same hour', async () => {
    const project = await service.makeProject({ rateServer: 2 });
    await service.admin((admin) => createKey(admin, { projectId: project.id, type: 'server' }));
    const server = await standIn(service, project.id, 'generic');
    await server.signUp(PERSON);
    await project.validate(PERSON);
    expect((await project.validate(PERSON)).status).toBe(429);
    await expectOpen(server, 'rate');
  });
});

it('when DNS is silent, the other checks still judge', async () => {
  const silent: Record<string, 'silent'> = { 'silent.net': 'silent' };
  const service = await startService({
    zone: { ...KNOWN_MAIL, ...silent },
    env: { POSTERN_DNS_BUDGET_MS: '1000' },
  });
  try {
    const project = await service.makeProject();
    const server = await standIn(service, project.id, 'supabase');
    const answer = await server.signUp({ email: 'jane.doe@silent.net' });
    expect(readAs('supabase', answer)).toEqual({ allowed: true });
    expect(readAs('supabase', await server.signUp(CROOK))).toMatchObject({ allowed: false });
  } finally {
    await service.close();
  }
});

describe('a hook lets people in while the store', () => {
  let database: PostgresTestDatabase;
  let postgres: PostgresServer;
  let proxy: DatabaseProxy;
  let service: TestService;
  let project: TestProject;
  beforeAll(async () => {
    postgres = await sharedPostgresServer();
    database = await postgres.database();
    proxy = await databaseProxy(database.url);
    service = await startService({
      realDeadlines: true,
      env: { POSTERN_DATABASE_URL: proxy.through(database.url) },
    });
    project = await service.makeProject();
  });
  afterAll(async () => {
    await service?.close();
    await proxy?.close();
    await database?.remove();
    await postgres?.remove();
  });

  it('is slow, and counts nothing twice', async () => {
    const server = await standIn(service, project.id, 'supabase');
    await server.signUp(PERSON);
    proxy.delayAnswers(5_000);
    const answer = await server.signUp(CROOK).finally(() => proxy.delayAnswers(0));
    expect(answer.headers['x-postern-open']).toMatch(/^(store|time)$/);
    expect(readAs('supabase', answer)).toEqual({ allowed: true });
  });

  it('is away, whether the hook is known here or not', async () => {
    const known = await standIn(service, project.id, 'kratos');
    const fresh = await standIn(service, project.id, 'okta');
    await expect.poll(async () => (await known.signUp(CROOK)).status).toBe(403);
    await proxy.shut();
    proxy.cut();
    await expectOpen(known, 'store');
    await expectOpen(fresh, 'store');
    await proxy.open();
    await expect.poll(async () => (await known.signUp(CROOK)).status).toBe(403);
    // Counted once the store is back.
    await expectShown(service, known, { store: expect.any(Number) });
  });
});
