import type { SearchAnswer } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { BACK_ENDS, startServiceOn } from './support/service-on.ts';

describe.each(BACK_ENDS)('on %s', (backEnd) => {
  let service: TestService;
  let admin: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;
  const find = async (text: string): Promise<SearchAnswer> =>
    (await admin.post(path('/search'), { text })).json;

  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    admin = await member(service, 'admin');
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  /** The first rows of an event stream, as many as requested. */
  async function watch(query: string, wanted: number, send: () => Promise<unknown>): Promise<string[]> {
    const stop = new AbortController();
    const response = await fetch(`${service.url}/dashboard/api/v1${path('/validations/live')}${query}`, {
      headers: { cookie: admin.cookie() },
      signal: stop.signal,
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    await send();
    const ids: string[] = [];
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined) for (const row of JSON.parse(data)) ids.push(row.requestId);
      }
      if (new Set(ids).size >= wanted) break;
    }
    stop.abort();
    return [...new Set(ids)];
  }
  const requestIds = (rows: readonly { requestId: string }[]) => rows.map(({ requestId }) => requestId);
  const validate = (id: string, email: string, more: object = {}) =>
    project.validate({ email, ...more }, { 'x-request-id': id });

  it('sends new rows of the log to its viewers, filtered', async () => {
    const all = await watch('', 2, async () => {
      await validate('live-1', 'jane.doe@gmail.com');
      await validate('live-2', 'support@gmail.com');
    });
    expect(all).toEqual(expect.arrayContaining(['live-1', 'live-2']));
    const roles = await watch('?check=roleEmail', 2, async () => {
      await validate('live-3', 'jane.doe@gmail.com');
      await validate('live-4', 'billing@gmail.com');
    });
    expect(roles).toEqual(expect.arrayContaining(['live-2', 'live-4']));
    expect(roles).not.toContain('live-3');
  });

  it('continues after the row that the viewer has', async () => {
    await validate('missed-1', 'john.doe@gmail.com');
    const { rows } = (await admin.get(path('/validations?limit=200'))).json;
    const first = rows.at(-1).id;
    expect(await watch(`?after=${first}`, rows.length, async () => undefined)).toContain('missed-1');
  });

  it('finds a person, a network, a device and a request without the address in a URL', async () => {
    await validate('find-1', 'find.me@gmail.com', { ip: '203.0.114.9', fingerprintHash: 'a-laptop' });
    const person = await find(' F.ind.Me+tag@googlemail.com ');
    expect(person).toMatchObject({ kind: 'person', inbox: expect.stringMatching(/^[\w-]{22}$/) });
    expect(await find('203.0.114.77')).toEqual({ kind: 'network', network: '203.0.114.0/24' });
    expect(await find('find-1')).toMatchObject({ kind: 'validation' });
    expect(await find('a-laptop')).toMatchObject({ kind: 'device' });
    expect(await find('gmail.com')).toEqual({ kind: 'domain', domain: 'gmail.com' });
    expect(await find('as15169')).toEqual({ kind: 'asn', asn: 15169 });
    expect((await find('nobody.here@gmail.com')).kind).toBe('nothing');
    const ids = async (query: string) =>
      (await admin.get(path(`/validations?${query}`))).json.rows.map(
        (row: { requestId: string }) => row.requestId,
      );
    expect(await ids('network=203.0.114.0/24')).toEqual(['find-1']);
    expect(await ids('domainPart=mai&check=roleEmail')).toEqual(['live-4', 'live-2']);
    expect(await ids('check=roleEmail,!syntax&recommendation=!allow')).toEqual(['live-4', 'live-2']);
    expect(await ids('domain=!gmail.com')).toEqual([]);
  });

  it('shows what is stored about a person, and erases it', async () => {
    const person = await find('find.me@gmail.com');
    const inbox = person.kind === 'person' ? person.inbox : '';
    const { json } = await admin.get(path(`/people/${inbox}`));
    expect(json.validations.map((row: { requestId: string }) => row.requestId)).toEqual(['find-1']);
    expect(json.devices).toHaveLength(1);
    expect(JSON.stringify(json)).not.toContain('find.me');
    expect((await admin.post(path(`/people/${inbox}/erase`), { erase: true })).json).toMatchObject({
      erased: true,
      logRows: 1,
    });
    expect((await admin.get(path(`/people/${inbox}`))).status).toBe(404);
  });

  it('changes the lists and undoes the change', async () => {
    const block = (value: string, inbox?: string) =>
      admin.post(path('/lists'), {
        changes: [{ list: 'blockList', add: { value, expiresAt: Date.now() + 60_000 } }],
        ...(inbox !== undefined && { inbox }),
      });
    const { rows } = (await admin.get(path('/validations?domain=gmail.com'))).json;
    const row = rows.find(({ requestId }: { requestId: string }) => requestId === 'missed-1');
    expect((await block('somebody.else@gmail.com', row.inbox)).status).toBe(400);
    const blocked = await block('john.doe@gmail.com', row.inbox);
    expect(blocked.status).toBe(200);
    expect((await validate('after-block', 'john.doe@gmail.com')).json.recommendation).toBe('block');
    expect((await admin.get(path(`/people/${row.inbox}`))).json.listed).toHaveLength(1);
    expect((await admin.post(path('/lists'), { changes: blocked.json.undo })).status).toBe(200);
    expect((await validate('after-undo', 'john.doe@gmail.com')).json.recommendation).toBe('allow');
  });

  it('shows one domain: what it counted, what was blocked, list entries and what the checks find', async () => {
    await validate('domain-1', 'one@mailinator.com');
    await validate('domain-2', 'two@mailinator.com');
    const added = await admin.post(path('/lists'), {
      changes: [{ list: 'blockList', add: { value: 'mailinator.com', note: 'throwaway' } }],
    });
    const { json } = await admin.get(path('/domains/MAILinator.com'));
    const { domains } = (await admin.get(path('/overview'))).json;
    expect(domains).toContainEqual({
      domain: 'mailinator.com',
      count: json.figures.count,
      blocked: json.figures.blocked,
    });
    expect(json).toMatchObject({ domain: 'mailinator.com', mailProvider: false, more: false });
    expect(json.figures).toMatchObject({ count: 2, blocked: 2, exact: true, previous: { count: 0 } });
    const bars: { count: number }[] = json.figures.series;
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    expect(requestIds(json.validations)).toEqual(['domain-2', 'domain-1']);
    expect(json.listed).toEqual([
      { list: 'blockList', entry: { value: 'mailinator.com', note: 'throwaway' } },
    ]);
    await admin.post(path('/lists'), { changes: added.json.undo });

    const checks = (await admin.get(path('/domains/mailinator.com/checks'))).json;
    expect(checks).toMatchObject({ domainClass: 'disposable', checks: { disposable: { pass: false } } });
    expect(checks.listedBy.length).toBe(checks.checks.disposable.metadata.agree.count);
    expect(checks.listedBy[0]).toMatchObject({
      name: expect.any(String),
      date: expect.stringMatching(/^\d{4}-/),
    });
    const gmail = (await admin.get(path('/domains/gmail.com/checks'))).json;
    expect(gmail).toMatchObject({ domainClass: 'free', listedBy: [], checks: { mx: { pass: true } } });
    for (const wrong of ['not%20a%20domain', '1.2.3.4', 'nodot'])
      expect((await admin.get(path(`/domains/${wrong}`))).status).toBe(400);
  });

  it('shows one network: a range from the log, and its operator as the overview counts it', async () => {
    for (const [index, ip] of ['8.8.8.8', '8.8.8.77', '8.8.4.4'].entries())
      await validate(`network-${index}`, `person.number${index}@gmail.com`, { ip });
    await validate('network-test', 'person.number9@gmail.com');
    const range = (await admin.get(path('/network?network=8.8.8.200'))).json;
    expect(range).toMatchObject({
      network: '8.8.8.0/24',
      counted: 'log',
      figures: { count: 2, exact: true },
    });
    expect(requestIds(range.validations)).toEqual(['network-1', 'network-0']);
    const { asn } = range;
    expect(asn).toEqual(expect.any(Number));
    const operator = (await admin.get(path(`/network?asn=${asn}`))).json;
    const { networks } = (await admin.get(path('/overview'))).json;
    const { count, blocked } = operator.figures;
    expect(networks).toContainEqual({ asn, name: operator.name, count, blocked });
    expect(count).toBe(3);
    expect(operator.ranges.map((each: { network: string }) => each.network)).toEqual([
      '8.8.8.0/24',
      '8.8.4.0/24',
    ]);
    const added = await admin.post(path('/lists'), {
      changes: [{ list: 'blockList', add: { value: '8.8.0.0/16' } }],
    });
    const listed = (await admin.get(path('/network?network=8.8.8.0/24'))).json.listed;
    expect(listed).toEqual([{ list: 'blockList', entry: { value: '8.8.0.0/16' } }]);
    await admin.post(path('/lists'), { changes: added.json.undo });
    for (const wrong of ['', '?network=nowhere', '?asn=x'])
      expect((await admin.get(path(`/network${wrong}`))).status).toBe(400);
  });

  it('compresses long answers for clients that accept it', async () => {
    const answer = await fetch(`${service.url}/dashboard/api/v1${path('/validations')}`, {
      headers: { cookie: admin.cookie(), 'accept-encoding': 'gzip' },
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect((await answer.json()).rows.length).toBeGreaterThan(3);
  });
});
