import type { SearchAnswer } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

describe.each(USUAL_BACK_ENDS)('on %s', (backEnd) => {
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

  const requestIds = (rows: readonly { requestId: string }[]) => rows.map(({ requestId }) => requestId);
  const ids = async (query: string) => requestIds((await admin.get(path(`/validations?${query}`))).json.rows);
  const validate = (id: string, email: string, more: object = {}) =>
    project.validate({ email, ...more }, { 'x-request-id': id });

  it('says when the log was read, to ask for what came since, filtered', async () => {
    await validate('live-1', 'jane.doe@gmail.com');
    const { at, rows } = (await admin.get(path('/validations'))).json;
    expect(at).toBeGreaterThanOrEqual(rows[0].at);
    await validate('live-2', 'john.roe@gmail.com');
    await validate('live-3', 'jane.doe@gmail.com');
    await validate('live-4', 'billing@gmail.com');
    await validate('live-5', 'support@gmail.com');
    expect(await ids(`from=${at}`)).toEqual(expect.arrayContaining(['live-5', 'live-4', 'live-3', 'live-2']));
    expect(await ids(`from=${at}&check=roleEmail`)).toEqual(['live-5', 'live-4']);
    expect(await ids(`from=${at + 60_000}`)).toEqual([]);
    await validate('missed-1', 'john.doe@gmail.com');
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
    // The log has no wider ranges, so the answer must not be the first /24 of it.
    expect(await find('203.0.0.0/16')).toEqual({
      kind: 'nothing',
      message: expect.stringContaining('networks of the size /24'),
    });
    expect(await ids('network=203.0.114.0/24')).toEqual(['find-1']);
    expect(await ids('domainPart=mai&check=roleEmail')).toEqual(['live-5', 'live-4']);
    expect(await ids('check=roleEmail,!syntax&recommendation=!allow')).toEqual(['live-5', 'live-4']);
    expect(await ids('domain=!gmail.com')).toEqual([]);
    const longest = Array.from({ length: 29 }, (_, at) =>
      `${'d'.repeat(59)}${at + 10}.`.repeat(4).slice(0, 250),
    );
    expect(await ids(`domain=${longest.join()},gmail.com`)).not.toEqual([]);
  });

  it('shows what is stored about a person, and erases it', async () => {
    const person = await find('find.me@gmail.com');
    const inbox = person.kind === 'person' ? person.inbox : '';
    const { json } = await admin.get(path(`/thing?person=${inbox}`));
    expect(requestIds(json.validations)).toEqual(['find-1']);
    expect(json).toMatchObject({
      title: 'f***@gmail.com',
      facts: { spellings: 1, judgement: null, seen: { times: 1, others: 1 } },
      reach: { people: 1, unknown: 1 },
      firstSeen: json.validations[0].at,
    });
    const devices = json.linked.find((each: { kind: string }) => each.kind === 'device');
    expect(devices.rows).toMatchObject([{ people: 1, validations: 1 }]);
    expect(JSON.stringify(json)).not.toContain('find.me');
    expect((await admin.post(path(`/people/${inbox}/erase`), { erase: true })).json).toMatchObject({
      erased: true,
      logRows: 1,
    });
    expect((await admin.get(path(`/thing?person=${inbox}`))).status).toBe(404);
  });

  it('finds what the pages show: a masked address, the beginning of a hash, an operator’s name', async () => {
    const add = { ip: '9.9.9.9', fingerprintHash: 'shown-phone' };
    await validate('shown-1', 'zoe.shown@gmail.com', add);
    const device = await find('shown-phone');
    const hash = device.kind === 'device' ? device.device : '';
    expect(hash).toMatch(/^[\w-]{22}$/);
    for (const text of [`${hash.slice(0, 14)}…`, `Device ${hash.slice(0, 8)}…`, hash.slice(0, 12)])
      expect(await find(text), text).toEqual(device);
    const person = await find('zoe.shown@gmail.com');
    const inbox = person.kind === 'person' ? person.inbox : '';
    expect(await find(`${inbox.slice(0, 12)}…`)).toEqual(person);
    expect(await find('z***@gmail.com')).toEqual(person);
    expect(await find('quad9')).toEqual({ kind: 'asn', asn: 19281 });
    await validate('shown-2', 'zac.shown@gmail.com');
    const several = await find('z***@gmail.com');
    const inboxes = several.kind === 'log' && 'inbox' in several.filters ? several.filters.inbox : '';
    const { rows } = (await admin.get(path(`/validations?inbox=${inboxes}`))).json;
    expect(requestIds(rows)).toEqual(['shown-2', 'shown-1']);
    for (const text of ['q***@gmail.com', 'AAAAAAAA…', 'No such operator'])
      expect((await find(text)).kind, text).toBe('nothing');
  });

  it('finds somebody who is only on a list', async () => {
    const add = { value: 'only.listed@gmail.com' };
    const added = await admin.post(path('/lists'), { changes: [{ list: 'allowList', add }] });
    const person = await find('only.listed@gmail.com');
    const inbox = person.kind === 'person' ? person.inbox : '';
    const { json } = await admin.get(path(`/thing?person=${inbox}`));
    expect(json).toMatchObject({
      validations: [],
      listed: [{ list: 'allowList', entry: { ...add, author: expect.any(String) } }],
    });
    await admin.post(path('/lists'), { changes: added.json.undo });
    expect((await find('only.listed@gmail.com')).kind).toBe('nothing');
    expect((await admin.get(path(`/thing?person=${inbox}`))).status).toBe(404);
  });

  it('changes the lists and undoes the change', async () => {
    const block = (value: string) =>
      admin.post(path('/lists'), {
        changes: [{ list: 'blockList', add: { value, expiresAt: Date.now() + 60_000 } }],
      });
    const { rows } = (await admin.get(path('/validations?domain=gmail.com'))).json;
    const row = rows.find(({ requestId }: { requestId: string }) => requestId === 'missed-1');
    const blocked = await block('john.doe@gmail.com');
    expect(blocked.status).toBe(200);
    expect((await validate('after-block', 'john.doe@gmail.com')).json.recommendation).toBe('block');
    expect((await admin.get(path(`/thing?person=${row.inbox}`))).json.listed).toHaveLength(1);
    expect((await admin.post(path('/lists'), { changes: blocked.json.undo })).status).toBe(200);
    expect((await validate('after-undo', 'john.doe@gmail.com')).json.recommendation).toBe('allow');
  });

  it('shows one domain: what it counted, what was blocked, list entries and what the checks find', async () => {
    await validate('domain-1', 'one@mailinator.com');
    await validate('domain-2', 'two@mailinator.com');
    const added = await admin.post(path('/lists'), {
      changes: [{ list: 'blockList', add: { value: 'mailinator.com', note: 'throwaway' } }],
    });
    const { json } = await admin.get(path('/thing?domain=MAILinator.com'));
    const { domains } = (await admin.get(path('/overview'))).json;
    expect(domains).toContainEqual({
      domain: 'mailinator.com',
      readable: 'mailinator.com',
      count: json.figures.count,
      blocked: json.figures.blocked,
    });
    expect(json).toMatchObject({
      name: 'mailinator.com',
      facts: { mailProvider: false },
      more: false,
      reach: { people: 2, good: 0, bad: 0, unknown: 2 },
    });
    expect(json.figures).toMatchObject({ count: 2, blocked: 2, exact: true, previous: { count: 0 } });
    const bars: { count: number }[] = json.figures.series;
    expect(bars.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    expect(requestIds(json.validations)).toEqual(['domain-2', 'domain-1']);
    expect(json.listed).toEqual([
      {
        list: 'blockList',
        entry: { value: 'mailinator.com', note: 'throwaway', author: expect.any(String) },
      },
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
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.com`;
    expect((await admin.get(path(`/thing?domain=${long}`))).json).toMatchObject({ name: long });
    for (const wrong of ['not%20a%20domain', '1.2.3.4', 'nodot'])
      expect((await admin.get(path(`/thing?domain=${wrong}`))).status).toBe(400);
  });

  it('shows one network: a range from the log, and its operator as the overview counts it', async () => {
    for (const [index, ip] of ['8.8.8.8', '8.8.8.77', '8.8.4.4'].entries())
      await validate(`network-${index}`, `person.number${index}@gmail.com`, { ip });
    await validate('network-test', 'person.number9@gmail.com');
    const range = (await admin.get(path('/thing?network=8.8.8.200'))).json;
    expect(range).toMatchObject({
      name: '8.8.8.0/24',
      counted: 'log',
      figures: { count: 2, exact: true },
    });
    expect(requestIds(range.validations)).toEqual(['network-1', 'network-0']);
    const { asn } = range.facts.operator;
    expect(asn).toEqual(expect.any(Number));
    const operator = (await admin.get(path(`/thing?asn=${asn}`))).json;
    const { networks } = (await admin.get(path('/overview'))).json;
    const { count, blocked } = operator.figures;
    expect(networks).toContainEqual({ asn, name: operator.facts.operator.name, count, blocked });
    expect(count).toBe(3);
    const ranges = operator.linked.find((each: { kind: string }) => each.kind === 'network').rows;
    expect(ranges.map((each: { name: string; people: number }) => [each.name, each.people])).toEqual([
      ['8.8.8.0/24', 2],
      ['8.8.4.0/24', 1],
    ]);
    const added = await admin.post(path('/lists'), {
      changes: [{ list: 'blockList', add: { value: '8.8.0.0/16' } }],
    });
    const listed = (await admin.get(path('/thing?network=8.8.8.0/24'))).json.listed;
    expect(listed).toEqual([
      { list: 'blockList', entry: { value: '8.8.0.0/16', author: expect.any(String) } },
    ]);
    await admin.post(path('/lists'), { changes: added.json.undo });
    for (const wrong of ['', '?network=nowhere', '?asn=x', '?asn=1&domain=gmail.com'])
      expect((await admin.get(path(`/thing${wrong}`))).status).toBe(400);
  });

  it('records that answers were wrong as outcomes of the people, and takes it back', async () => {
    await validate('wrong-1', 'webmaster@gmail.com');
    await validate('wrong-2', 'let.in.by.mistake@gmail.com');
    const { rows } = (await admin.get(path('/validations'))).json;
    const idOf = (requestId: string) =>
      rows.find((row: { requestId: string }) => row.requestId === requestId).id;
    const judgement = async (requestId: string) =>
      (await admin.get(path(`/validations/${idOf(requestId)}`))).json.judgement;
    const waiting = async () => requestIds((await admin.get(path('/review'))).json.rows);
    const outcomes = async () => (await admin.get(path('/overview'))).json.outcomes;
    expect(await waiting()).toContain('wrong-1');
    const before = await outcomes();
    const marked = await admin.post(path('/judge'), {
      validations: [idOf('wrong-1'), idOf('wrong-2')],
      outcome: 'wrong',
    });
    expect(marked.json).toMatchObject({ good: 1, bad: 1 });
    expect(await judgement('wrong-1')).toMatchObject({ outcome: 'good', reason: 'marked as wrong' });
    expect(await judgement('wrong-2')).toMatchObject({ outcome: 'bad' });
    expect(await outcomes()).toEqual({ ...before, good: before.good + 1, bad: before.bad + 1 });
    expect(await waiting()).not.toContain('wrong-1');
    expect((await admin.post(path('/judge/undo'), { undo: marked.json.undo })).json).toEqual({ undone: 2 });
    expect([await judgement('wrong-1'), await judgement('wrong-2')]).toEqual([null, null]);
    expect(await outcomes()).toEqual(before);
    expect(await waiting()).toContain('wrong-1');
    const audited = (await admin.get(`/audit?project=${project.id}`)).json.rows;
    expect(audited.map((row: { action: string }) => row.action).slice(0, 2)).toEqual([
      'person.judge-undo',
      'person.judge',
    ]);
    expect(audited[1].detail).toMatchObject({ peopleNowGood: 1, peopleNowBad: 1, address: '127.0.0.0/24' });
  });

  it('marks everybody who came with a thing, or only those with some answers, and lists things by their people', async () => {
    const farm = await service.makeProject();
    const of = (rest: string) => `/projects/${farm.id}${rest}`;
    for (const [index, name] of ['ann', 'bob', 'cleo', 'info'].entries())
      await farm.validate({
        email: `${name}@mail-house.net`,
        ip: `8.8.${index}.8`,
        fingerprintHash: index < 2 ? 'shared' : `own-${index}`,
      });
    await farm.validate({ email: 'dan@gmail.com', ip: '8.8.9.9', fingerprintHash: 'dans' });
    const judge = async (body: object) => (await admin.post(of('/judge'), body)).json;
    const names = ['mail-house.net'];
    const stopped = { kind: 'domain', names, answers: ['flag', 'block'] };
    expect(await judge({ of: stopped, outcome: 'good' })).toMatchObject({ good: 1, bad: 0 });
    const all = await judge({ of: { kind: 'domain', names }, outcome: 'bad' });
    expect([all.good, all.bad, all.undo.length]).toEqual([0, 4, 4]);
    const list = async (query: string) => (await admin.get(of(`/things?${query}`))).json;
    const domains = await list('kind=domain');
    expect(domains).toMatchObject({ kind: 'domain', more: false, since: null });
    expect(domains.rows).toMatchObject([
      { name: 'mail-house.net', people: 4, bad: 4, good: 0, validations: 4 },
      { name: 'gmail.com', people: 1, bad: 0, good: 0, validations: 1 },
    ]);
    const [shared] = (await list('kind=device&domain=mail-house.net')).rows;
    expect(shared).toMatchObject({ people: 2, bad: 2 });
    const people = (await list(`kind=person&device=${shared.name}`)).rows;
    expect(people.map(({ title }: { title: string }) => title)).toEqual([
      'b***@mail-house.net',
      'a***@mail-house.net',
    ]);
    expect((await list('kind=network&recommendation=flag')).rows).toMatchObject([{ name: '8.8.3.0/24' }]);
    expect((await admin.get(of('/things?kind=planet'))).status).toBe(400);
    expect((await admin.get(of('/thing?device=' + shared.name))).json.reach).toMatchObject({
      people: 2,
      bad: 2,
    });
    const undone = await admin.post(of('/judge/undo'), { undo: all.undo });
    expect(undone.json).toEqual({ undone: 4 });
    expect((await list('kind=domain')).rows[0]).toMatchObject({ bad: 0, good: 1 });
    const both = { validations: ['x'], of: { kind: 'domain', names }, outcome: 'bad' };
    const unknown = { of: { kind: 'domain', names: ['no domain'] }, outcome: 'bad' };
    for (const wrong of [both, { outcome: 'bad' }, unknown])
      expect((await admin.post(of('/judge'), wrong)).status).toBe(400);
  });

  it('refuses marks that name no answer of a real person, and other people’s roles', async () => {
    const viewer = await member(service, 'viewer');
    await validate('wrong-3', 'billing@gmail.com');
    const id = (await admin.get(path('/validations?limit=1'))).json.rows[0].id;
    expect((await viewer.post(path('/judge'), { validations: [id], outcome: 'wrong' })).status).toBe(403);
    for (const validations of [[], 'x', [5], Array.from({ length: 1_001 }, (_, index) => `id${index}`)])
      expect((await admin.post(path('/judge'), { validations, outcome: 'wrong' })).status).toBe(400);
    const judge = async (body: object) => (await admin.post(path('/judge'), body)).status;
    expect(await judge({ validations: ['nothing'], outcome: 'wrong' })).toBe(404);
    expect(await judge({ validations: [id], outcome: 'nice' })).toBe(400);
    const good = { outcome: 'good', reason: null, at: 5 };
    const validations: string[] = [];
    for (const undo of [
      [],
      [{}],
      [{ inbox: 'x', judgement: good, validations }],
      [{ inbox: 'x', judgement: good, previous: null }],
      [{ inbox: 'x', judgement: good, previous: { ...good, at: 9 }, validations }],
      [{ inbox: 'x', judgement: { ...good, outcome: 'maybe' }, previous: null, validations }],
    ])
      expect((await admin.post(path('/judge/undo'), { undo })).status).toBe(400);
  });

  it('filters by several and unwanted networks, countries and parts of domains', async () => {
    expect(await ids('network=8.8.8.0/24,8.8.4.0/24')).toEqual(['network-2', 'network-1', 'network-0']);
    expect(await ids('network=8.8.8.0/24,!8.8.4.0/24')).toEqual(['network-1', 'network-0']);
    expect(await ids('domainPart=INATOR,gmial')).toEqual(['domain-2', 'domain-1']);
    expect(await ids('domainPart=!gmail')).toEqual(['domain-2', 'domain-1']);
    const { country, operator } = (await admin.get(path('/thing?network=8.8.8.8'))).json.facts;
    const { asn } = operator;
    expect(await ids(`asn=AS${asn},1`)).toEqual(['network-2', 'network-1', 'network-0']);
    expect(await ids(`asn=!${asn}`)).not.toContain('network-0');
    expect(await ids(`country=${country.toLowerCase()},XX`)).toContain('network-0');
    expect(await ids(`country=!${country}`)).not.toContain('network-0');
    expect((await admin.get(path('/validations?asn=nine'))).status).toBe(400);
  });

  it('counts what matches over time, and exports the columns that are wanted', async () => {
    const count = async (query = '') => (await admin.get(path(`/validations/summary?${query}`))).json;
    const { rows } = (await admin.get(path('/validations?limit=200'))).json;
    const answered = (name: string) =>
      rows.filter((row: { recommendation: string }) => row.recommendation === name).length;
    const all = await count();
    const sum = (name: string) =>
      all.buckets.reduce((total: number, bucket: Record<string, number>) => total + (bucket[name] ?? 0), 0);
    expect(all).toMatchObject({ total: rows.length, since: null });
    for (const name of ['allow', 'flag', 'block']) expect(sum(name), name).toBe(answered(name));
    expect(all.buckets.length).toBeLessThanOrEqual(60);
    const thrown = rows.filter(({ domain }: { domain: string }) => domain.includes('inator')).length;
    expect((await count('domainPart=inator')).total).toBe(thrown);
    expect((await count(`from=${Date.now() + 60_000}`)).total).toBe(0);
    expect((await count('asn=nine')).error).toMatch(/asn/);

    const shown = await admin.get(path('/validations.csv?columns=country,time,deviceInboxes,outcome,rules'));
    expect(shown.text.split('\r\n')[0]).toBe('time,country,rules,deviceInboxes,outcome');
    expect((await admin.get(path('/validations.csv?columns=secret'))).status).toBe(400);
    const network = rows.find((row: { requestId: string }) => row.requestId === 'network-0');
    expect(network).toMatchObject({ asn: expect.any(Number), country: expect.any(String), outcome: null });
    await admin.post(path('/judge'), { validations: [network.id], outcome: 'bad' });
    const again = (await admin.get(path('/validations?limit=200'))).json.rows;
    expect(again.find(({ id }: { id: string }) => id === network.id).outcome).toBe('bad');
  });

  it('compresses long answers for clients that accept it', async () => {
    const answer = await fetch(`${service.url}/dashboard/api/v1${path('/validations')}`, {
      headers: { cookie: admin.cookie(), 'accept-encoding': 'gzip' },
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect((await answer.json()).rows.length).toBeGreaterThan(3);
  });
});
