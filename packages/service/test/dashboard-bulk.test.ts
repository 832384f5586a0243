import type { BulkEnd, BulkEvent, BulkResult } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';
import { untilCounted } from './support/until-counted.ts';

interface Run {
  readonly results: BulkResult[];
  readonly end: BulkEnd;
}

function readRun(text: string): Run {
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as BulkEvent);
  const end = events.at(-1);
  if (end === undefined || !('end' in end)) throw new Error(`No end: ${text}`);
  return { results: events.flatMap((event) => ('rows' in event ? event.rows : [])), end };
}

describe.each(USUAL_BACK_ENDS)('a file of addresses, on %s', (backEnd) => {
  let service: TestService;
  let admin: DashboardClient;
  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    admin = await member(service, 'admin');
  });
  afterAll(() => service.close());

  const check = async (project: Pick<TestProject, 'id'>, rows: readonly object[]): Promise<Run> => {
    const answer = await admin.post(`/projects/${project.id}/bulk`, { rows });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      200,
      'application/x-ndjson; charset=utf-8',
    ]);
    return readRun(answer.text);
  };
  const used = async (project: TestProject) => (await admin.get(`/projects/${project.id}`)).json.quota.used;

  it('gets the project’s answers, row by row, and uses quota only for addresses', async () => {
    const rule = { when: 'email.tld == "net"', then: 'flag', mode: 'live' } as const;
    const project = await service.makeProject({
      blockList: [{ value: 'blocked@gmail.com' }, { value: 'blocked@mail-house.net' }],
      rules: [{ ...rule, id: 'nets', name: 'Nets' }],
    });
    const { results, end } = await check(project, [
      { email: 'jane.doe@gmail.com' },
      { email: ' x@mailinator.com ', ip: '' },
      { email: 'nonsense' },
      { email: '' },
      { email: 'info@gmail.com', ip: 'not an address' },
      { email: 'sam.rivera@outlook.com', ip: '81.2.69.142:443' },
      { email: 'blocked@gmail.com' },
      { email: 'info@mail-house.net' },
      { email: 'blocked@mail-house.net' },
    ]);
    expect(results.map(({ index, recommendation, failed }) => [index, recommendation, failed])).toEqual([
      [0, 'allow', []],
      [1, 'block', ['disposable', 'mx']],
      [2, 'invalid', []],
      [3, 'invalid', []],
      [4, 'invalid', []],
      [5, 'allow', []],
      [6, 'block', []],
      [7, 'flag', ['roleEmail']],
      [8, 'block', []],
    ]);
    expect(results.map(({ reason }) => reason).slice(2, 5)).toEqual([
      'Invalid email format',
      'Email address is required',
      'ip must be an IP address',
    ]);
    expect(results[1]?.reason).not.toBe('');
    expect(results[6]?.reason).toBe('It is on the project’s block list');
    expect(results[7]?.reason).toMatch(/^The rule “Nets” \(rule_nets\) decides; ./);
    expect(results[8]?.reason).toBe('It is on the project’s block list');
    expect(end).toMatchObject({ end: 'done', message: null, checked: 9, quota: { used: 6 } });
    expect(await used(project)).toBe(6);
  });

  it('is not remembered: no log, no statistics, no device, no inbox, no effect on later answers', async () => {
    const project = await service.makeProject();
    await check(project, [
      { email: 'jane.doe@gmail.com', ip: '81.2.69.142' },
      { email: 'janedoe@gmail.com' },
      { email: 'jane.doe+a@gmail.com' },
    ]);
    expect((await admin.get(`/projects/${project.id}/validations`)).json.rows).toEqual([]);
    const overview = await admin.get(`/projects/${project.id}/overview?from=${Date.now() - 3_600_000}`);
    expect(overview.json.totals.validations).toBe(0);
    // Another spelling of an inbox that was seen would be `alias_reuse`.
    const live = await project.validate({ email: 'j.anedoe@gmail.com', fingerprintHash: 'laptop' });
    expect(live.json).toMatchObject({ recommendation: 'allow', signals: [] });
    // Nor does what is remembered change the answer for a row.
    expect((await check(project, [{ email: 'jane.doe@gmail.com' }])).results[0]?.recommendation).toBe(
      'allow',
    );
    const audit = await admin.get(`/audit?project=${project.id}&action=bulk.check`);
    expect(audit.json.rows).toMatchObject([
      { detail: { rows: 1, checked: 1, end: 'done' } },
      { detail: { rows: 3, checked: 3, end: 'done' } },
    ]);
    expect(audit.text).not.toContain('gmail');
  });

  it('ends with the quota, exactly, says so, and keeps what was checked', async () => {
    const project = await service.makeProject({ quotaLimit: 20 });
    await project.validate({ email: 'jane.doe@gmail.com' });
    const rows = Array.from({ length: 40 }, (_, index) => ({
      email: index % 4 === 0 ? 'nonsense' : `jane.doe${index}@gmail.com`,
    }));
    const { results, end } = await check(project, rows);
    expect(results.filter(({ recommendation }) => recommendation !== 'invalid')).toHaveLength(19);
    expect(results.map(({ index }) => index)).toEqual(results.map((_, index) => index));
    expect(end).toMatchObject({ end: 'quota', checked: results.length, quota: { limit: 20, used: 20 } });
    expect(end.message).toMatch(
      new RegExp(`^The month’s quota is used up\\. ${40 - results.length} rows were not checked\\.`),
    );
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(402);
    const again = await check(project, rows.slice(0, 2));
    expect([again.end.end, again.results]).toEqual(['quota', [expect.objectContaining({ index: 0 })]]);
    const { rows: events } = (await admin.get(`/projects/${project.id}/events`)).json;
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'quota.reached', data: expect.objectContaining({ percent: 100 }) }),
    );
  });

  it('shares the quota exactly with live requests and other files', async () => {
    const project = await service.makeProject({ quotaLimit: 60 });
    const other = await member(service, 'admin');
    const rows = Array.from({ length: 40 }, (_, index) => ({ email: `sam${index}@outlook.com` }));
    const [mine, theirs, ...live] = await Promise.all([
      check(project, rows),
      other.post(`/projects/${project.id}/bulk`, { rows }).then(({ text }) => readRun(text)),
      ...Array.from({ length: 20 }, (_, index) =>
        untilCounted(() => project.validate({ email: `mei${index}@icloud.com` })),
      ),
    ]);
    const admitted = live.filter(({ status }) => status === 200).length;
    expect(mine.results.length + theirs.results.length + admitted).toBe(60);
    expect(await used(project)).toBe(60);
  });

  it('is cancelled by closing the connection; what was not checked uses no quota', async () => {
    const project = await service.makeProject();
    const cancel = new AbortController();
    const rows = Array.from({ length: 5_000 }, (_, index) => ({ email: `olu${index}@yahoo.com` }));
    const session = (await admin.get('/session')).json;
    const response = await fetch(`${service.url}/dashboard/api/v1/projects/${project.id}/bulk`, {
      method: 'POST',
      headers: {
        cookie: admin.cookie(),
        'x-postern-csrf': session.csrf,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ rows }),
      signal: cancel.signal,
    });
    await response.body?.getReader().read();
    // A second file has to wait for the first.
    const second = await admin.post(`/projects/${project.id}/bulk`, { rows: [{ email: 'a.b@gmail.com' }] });
    expect([second.status, second.headers['retry-after']]).toEqual([429, '30']);
    cancel.abort();
    const audit = `/audit?project=${project.id}&action=bulk.check`;
    await expect.poll(async () => (await admin.get(audit)).json.rows.length).toBe(1);
    const [entry] = (await admin.get(audit)).json.rows;
    expect(entry.detail).toMatchObject({ rows: 5_000, end: 'cancelled' });
    expect(await used(project)).toBeGreaterThanOrEqual(entry.detail.checked);
    expect(await used(project)).toBeLessThan(5_000);
    expect((await check(project, [{ email: 'a.b@gmail.com' }])).end.end).toBe('done');
  });

  it.each([
    ['no rows', {}, 'rows'],
    ['an empty list', { rows: [] }, 'rows'],
    ['too many rows', { rows: Array.from({ length: 10_001 }, () => ({ email: 'a' })) }, 'rows'],
    ['rows that are texts', { rows: ['a@gmail.com'] }, 'rows'],
    ['an email that is a number', { rows: [{ email: 5 }] }, 'rows'],
    ['an email that is too long', { rows: [{ email: 'a'.repeat(401) }] }, 'rows'],
    ['an unknown field', { rows: [{ email: 'a@gmail.com' }], policy: {} }, 'policy'],
  ])('refuses %s', async (_, body, field) => {
    const project = await service.makeProject();
    const answer = await admin.post(`/projects/${project.id}/bulk`, body);
    expect([answer.status, answer.json.field]).toEqual([400, field]);
  });

  it('refuses an archived project, and a viewer', async () => {
    const project = await service.makeProject();
    const path = `/projects/${project.id}/bulk`;
    const rows = [{ email: 'a.b@gmail.com' }];
    expect((await (await member(service, 'viewer')).post(path, { rows })).status).toBe(403);
    await admin.post(`/projects/${project.id}/archive`);
    expect((await admin.post(path, { rows })).status).toBe(409);
  });

  it('does not keep the service from stopping', async () => {
    const project = await service.makeProject();
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ email: `k.novak${index}@gmail.com` }));
    const session = (await admin.get('/session')).json;
    const response = await fetch(`${service.url}/dashboard/api/v1/projects/${project.id}/bulk`, {
      method: 'POST',
      headers: {
        cookie: admin.cookie(),
        'x-postern-csrf': session.csrf,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ rows }),
    });
    const text = response.text();
    expect(await service.stop()).toBe(0);
    const { results, end } = readRun(await text);
    expect(end).toMatchObject({ end: 'stopped', checked: results.length });
    expect(end.message).toContain('Check them in another run.');
  });
});
