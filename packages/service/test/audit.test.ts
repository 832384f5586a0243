import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { DAY_MS } from '@postern/contract';
import Database from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { posternOn, posternProcess } from '../../cli/test/support/postern.ts';
import { type DashboardClient, member, PASSWORD, visitor } from './support/dashboard.ts';
import { startService, type TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

interface Entry {
  readonly action: string;
  readonly actor: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

describe.each(USUAL_BACK_ENDS)('the audit log on %s', (backEnd) => {
  let service: TestService;
  let owner: DashboardClient;
  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    owner = await member(service, 'owner');
  });
  afterAll(() => service?.close());

  const entries = async (query = ''): Promise<Entry[]> =>
    (await owner.get(`/audit?limit=200${query}`)).json.rows;
  const settings = () => ({ POSTERN_DATA_DIR: service.dataDir, ...service.env });
  const verify = (...options: string[]) => posternOn(settings())('audit', 'verify', '--json', ...options);
  const change = (sql: string) => changeDatabase(service, sql);

  it('has sign-ins, failures, exports, tokens, networks, and old and new values', async () => {
    const project = await service.makeProject();
    const { email } = await member(service, 'analyst');
    await visitor(service).auth('/sign-in/email', { email, password: 'wrong password' });
    await visitor(service).auth('/sign-in/email', {
      email: 'nobody@example.com',
      password: 'wrong password',
    });
    await expect
      .poll(async () => (await entries('&action=member.sign-in-failed')).map(({ detail }) => detail))
      .toMatchObject([{ by: 'password', address: '127.0.0.0/24' }]);
    const signedIn = await entries('&action=member.sign-in');
    expect(signedIn[0]?.detail).toEqual({ by: 'password', address: '127.0.0.0/24' });
    expect(signedIn[0]?.actor).toMatch(/^usr_/);

    await owner.call('PATCH', `/projects/${project.id}`, { rateClient: 7, name: 'New name' });
    const [updated] = await entries(`&project=${project.id}&action=project.update`);
    expect(updated?.detail).toMatchObject({ rateClient: 7, before: { rateClient: 1_000, name: 'Test' } });

    const { token } = (await owner.post('/tokens', { name: 'exporter' })).json;
    const exported = await service.ask({
      method: 'GET',
      path: `/dashboard/api/v1/projects/${project.id}/validations.csv`,
      headers: { authorization: `Bearer ${token}` },
    });
    expect(exported.status).toBe(200);
    const [download] = await entries('&action=data.export');
    expect(download?.detail).toMatchObject({ token: 'exporter', address: '127.0.0.0/24' });
    expect(JSON.stringify(await entries())).not.toContain('wrong password');
  });

  it('is one chain for four processes, and shows every change and a replaced log', async () => {
    await Promise.all(
      [1, 2, 3, 4].map(async (number) => {
        await posternProcess(settings())('project', 'create', '--id', `p${number}`);
        for (const round of [1, 2])
          await posternOn(settings())('project', 'create', '--id', `p${number}-${round}`);
      }),
    );
    const whole = await verify();
    expect([whole.code, whole.json.whole]).toEqual([0, true]);
    expect(whole.json.rows).toBeGreaterThan(12);
    const { end } = whole.json;
    await owner.post('/projects', { name: 'One more' });
    expect((await verify('--expect', end)).json).toMatchObject({ whole: true, replaced: false });
    expect(
      (
        await verify(
          '--expect',
          end.replace(/.$/, (last: string) => (last === '0' ? '1' : '0')),
        )
      ).code,
    ).toBe(1);

    await change(`UPDATE audit SET actor = 'nobody' WHERE seq = 3`);
    expect((await verify()).json).toMatchObject({ whole: false, broken: { seq: 3 } });
    await change(`DELETE FROM audit WHERE seq = 2`);
    const gap = await verify();
    expect([gap.code, gap.json.broken.reason]).toEqual([1, 'row 2 is missing']);
  });

  it('can lose its old entries and stays a chain', async () => {
    const { deleted, report } = await service.admin(async ({ store }) => {
      await store.audit.append({
        at: Date.now(),
        actor: 'test',
        action: 'key.create',
        projectId: null,
        detail: {},
      });
      const rows = await store.audit.deleteBefore(Date.now() + DAY_MS, 10, Date.now());
      await store.audit.append({
        at: Date.now(),
        actor: 'test',
        action: 'key.create',
        projectId: null,
        detail: {},
      });
      return { deleted: rows, report: await store.audit.verify() };
    });
    expect(deleted).toBe(10);
    expect(report).toMatchObject({ broken: undefined });
    expect(report.start.seq).toBeGreaterThan(9);
    // Nothing here is deleted because of its age.
    expect((await verify()).code).toBe(1);
    const kept = posternOn({ ...settings(), POSTERN_AUDIT_RETENTION_DAYS: '1' });
    expect((await kept('audit', 'verify', '--json')).json).toMatchObject({ whole: true });
  });
});

describe.each(USUAL_BACK_ENDS)('an audit log that somebody changes in the database, on %s', (backEnd) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    for (const id of ['a', 'b', 'c', 'd']) await service.makeProject({ id });
  });
  afterAll(() => service?.close());

  const change = (sql: string) => changeDatabase(service, sql);
  const reason = async () => (await service.admin(({ store }) => store.audit.verify())).broken?.reason;
  const insert = (seq: string, at: number) =>
    change(`INSERT INTO audit (id, at, actor, action, project_id, detail, seq, hash)
      VALUES ('x', ${at}, 'usr_framed', 'key.revoke', NULL, '{}', ${seq}, ${seq === 'NULL' ? 'NULL' : "'h'"})`);

  it('shows a row in front of the beginning', async () => {
    expect(await reason()).toBeUndefined();
    for (const seq of ['0', '-1']) {
      await insert(seq, Date.now());
      expect(await reason()).toBe(`there is a row ${seq} in front of the beginning`);
      await change("DELETE FROM audit WHERE id = 'x'");
    }
  });

  it('shows that the beginning is gone, wherever the chain is said to begin', async () => {
    const hash = await service.admin(({ store }) => store.audit.hashAt(3));
    await change('CREATE TABLE kept AS SELECT * FROM audit WHERE seq <= 3');
    await change('DELETE FROM audit WHERE seq <= 3');
    expect(await reason()).toBe('row 1 is missing');
    await change(
      `INSERT INTO secret (name, value) VALUES ('audit-chain-start', '{"seq":3,"hash":"${hash}"}')`,
    );
    expect(await reason()).toMatch(/^rows up to 3 are missing/);
    await change('INSERT INTO audit SELECT * FROM kept');
    await change("DELETE FROM secret WHERE name = 'audit-chain-start'");
    await change('DROP TABLE kept');
    expect(await reason()).toBeUndefined();
  });

  it('shows a backdated row before and after it joins the chain', async () => {
    await insert('NULL', Date.now() - 2 * DAY_MS);
    expect(await reason()).toMatch(/^a row of .* is not in the chain$/);
    await service.admin(({ store }) => store.audit.chain());
    expect(await reason()).toMatch(/is 48 hours older than the one before it/);
  });
});

async function changeDatabase(service: TestService, sql: string): Promise<void> {
  const url = service.env.POSTERN_DATABASE_URL;
  if (url === undefined) {
    const file = new Database(`${service.dataDir}/postern.db`);
    file.prepare(sql).run();
    return void file.close();
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

describe('the audit log’s stream', () => {
  it('says where operators look that it fails: in the log once, in /readyz and in metrics', async () => {
    let isDown = true;
    let refused = 0;
    const receiver = createHttpServer((request, response) => {
      if (isDown) refused += 1;
      request.resume().on('end', () => response.writeHead(isDown ? 503 : 204).end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const env = {
      POSTERN_AUDIT_STREAM: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      NODE_OPTIONS: `--import=${new URL('./support/movable-clock.mjs', import.meta.url).href}`,
      CLOCK_SHIFTS: '0,600000',
    };
    const service = await startService({ env });
    const shiftTo = async (shift: string) => {
      service.process.kill('SIGWINCH');
      await expect.poll(() => service.output()).toContain(`the clock is off by ${shift}\n`);
    };
    const audit = async () => (await service.ask({ path: '/readyz' })).json.parts.audit;
    const metric = async (name: string) =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec((await service.ask({ path: '/metrics' })).text)?.[1]);
    try {
      await service.makeProject();
      await expect.poll(() => refused).toBeGreaterThan(1);
      expect(await audit()).toEqual({ status: 'ok' });
      await shiftTo('0');
      await shiftTo('600000');
      expect(await audit()).toMatchObject({
        status: 'degraded',
        message: expect.stringContaining('audit entries wait to be sent'),
      });
      expect(await metric('postern_audit_backlog')).toBeGreaterThan(0);
      expect(await metric('postern_audit_backlog_seconds')).toBeGreaterThan(500);
      expect(service.output().match(/could not send the audit log/g)).toHaveLength(1);
      isDown = false;
      await expect.poll(() => service.output()).toContain('sends the audit log again');
      expect([await audit(), await metric('postern_audit_backlog')]).toEqual([{ status: 'ok' }, 0]);
    } finally {
      await service.close();
      await new Promise((resolve) => receiver.close(resolve));
    }
  });

  it('sends every entry in order to syslog, and to an address after a failure', async () => {
    const received: string[] = [];
    const syslog = createServer((socket) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString();
      });
      socket.on('end', () => received.push(text));
    });
    await new Promise<void>((resolve) => syslog.listen(0, '127.0.0.1', resolve));
    const { port } = syslog.address() as AddressInfo;
    const env = { POSTERN_AUDIT_STREAM: `syslog+tcp://127.0.0.1:${port}` };
    const service = await startService({ env });
    const posted: string[] = [];
    let failures = 1;
    const receiver = createHttpServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        failures -= 1;
        if (failures >= 0) return void response.writeHead(503).end();
        posted.push(`${request.headers.authorization} ${body}`);
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    try {
      await member(service, 'owner');
      await expect.poll(() => received.join('')).toContain('"action":"member.sign-in"');
      const message = received.join('');
      expect(message).toMatch(/^\d+ <109>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ postern \d+ \S+ - \{"time":/);
      expect(message).not.toContain(PASSWORD);
      await service.stop();

      const url = `http://user:pass%20word@127.0.0.1:${(receiver.address() as AddressInfo).port}/audit`;
      const again = await startService({ env: { POSTERN_AUDIT_STREAM: url }, dataDir: service.dataDir });
      try {
        await again.makeProject();
        await expect.poll(() => posted.join('')).toContain('"action":"project.create"');
        expect(posted[0]).toMatch(/^Basic dXNlcjpwYXNzIHdvcmQ= /);
        // What syslog got is not sent again.
        expect(posted.join('')).not.toContain('member.sign-in');
      } finally {
        await again.close();
      }
    } finally {
      await service.close();
      await new Promise((resolve) => syslog.close(resolve));
      await new Promise((resolve) => receiver.close(resolve));
    }
  });
});
