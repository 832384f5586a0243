import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { ordinaryMail } from './support/dns-server.ts';
import { createKey, KNOWN_MAIL, type TestProject, type TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';

type Row = Record<string, never> & { id: string; requestId: string; maskedAddress: string };

const tally = (recommendations: readonly string[]) => ({
  allow: recommendations.filter((one) => one === 'allow').length,
  flag: recommendations.filter((one) => one === 'flag').length,
  block: recommendations.filter((one) => one === 'block').length,
});

/** The answer without its time-dependent fields. */
function timeless(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (field, value) =>
      ['latency', 'totalLatency', 'firstSeen', 'lastSeen'].includes(field) ? undefined : value,
    ),
  );
}

describe.each(USUAL_BACK_ENDS)('on %s', (backEnd) => {
  let service: TestService;
  let viewer: DashboardClient;
  beforeAll(async () => {
    const zone = { ...KNOWN_MAIL, ...ordinaryMail('mailinator.com', 'shop.example') };
    service = await startServiceOn(backEnd, { zone });
    viewer = await member(service, 'viewer');
  });
  afterAll(() => service.close());

  /** Ten validations of a project whose outcomes are known. */
  async function history() {
    const project = await service.makeProject();
    const send = (id: string, body: object) => project.validate(body, { 'x-request-id': id });
    const answers = [
      await send('plain-1', { email: 'jane.doe@gmail.com', fingerprintHash: 'device-a', ip: '192.0.2.7' }),
      await send('plain-2', { email: 'john.doe@gmail.com', fingerprintHash: 'device-a' }),
      await send('third-2', { email: 'jack.doe@gmail.com', fingerprintHash: 'device-a' }),
      await send('over-3', { email: 'jill.doe@gmail.com', fingerprintHash: 'device-a' }),
      await send('role-1', { email: 'support@mail-house.net' }),
      await send('role-2', { email: 'billing@mail-house.net' }),
      await send('tag-1', { email: 'jane.doe+news@gmail.com' }),
      await send('throwaway-1', { email: 'someone@mailinator.com' }),
      await send('relay-1', { email: 'calm.lake.0f@icloud.com', fingerprintHash: 'device-b' }),
      await send('own-1', { email: 'support@mail-house.net', validations: { syntax: 'block' } }),
    ];
    const latencies = answers.map(({ json }) => json.metadata.totalLatency as number);
    return {
      project,
      answers,
      latencies,
      recommendations: answers.map(({ json }) => json.recommendation as string),
    };
  }

  describe('a known history', () => {
    let project: TestProject;
    let recommendations: string[];
    let latencies: number[];
    let rows: Row[];
    const path = (rest: string) => `/projects/${project.id}${rest}`;
    const ids = async (query: string) =>
      (await viewer.get(path(`/validations${query}`))).json.rows.map((row: Row) => row.requestId);
    beforeAll(async () => {
      ({ project, recommendations, latencies } = await history());
      rows = (await viewer.get(path('/validations'))).json.rows;
    });

    it('is counted exactly in the overview', async () => {
      const { json } = await viewer.get(path('/overview'));
      const counts = tally(recommendations);
      expect(json.totals).toEqual({ validations: 10, ...counts, rateLimited: 0, quotaExceeded: 0 });
      const sum = (field: string) =>
        json.series.reduce(
          (total: number, bucket: Record<string, number>) => total + (bucket[field] ?? 0),
          0,
        );
      expect({ allow: sum('allow'), flag: sum('flag'), block: sum('block') }).toEqual(counts);
      expect(json.bucketMs).toBe(86_400_000);
      // Exactly seven days, in eight bars of which the first and the last are parts, unless it is just before midnight.
      expect(json.to - json.from).toBe(7 * 86_400_000);
      expect(json.series[0].at).toBe(json.from);
      expect(json.series.at(-1).until).toBe(json.to);
      const midnight = (at: number) => at % 86_400_000 === 0;
      for (const { at, until, partial } of json.series.slice(0, -1))
        expect({ at, partial }).toEqual({ at, partial: !midnight(at) || !midnight(until) });
      expect(json.series.at(-1).partial).toBe(true);
      expect(json.previous).toMatchObject({ from: json.from - 7 * 86_400_000, to: json.from });
      expect(json.checks).toContainEqual(expect.objectContaining({ check: 'roleEmail', ran: 9, failed: 2 }));
      expect(json.checks).toContainEqual(expect.objectContaining({ check: 'device', ran: 5, failed: 1 }));
      expect(json.signals).toContainEqual(expect.objectContaining({ signal: 'role_email', count: 2 }));
      expect(json.domains[0]).toMatchObject({ domain: 'gmail.com', count: 5, blocked: 0 });
      expect(json.domains).toContainEqual({
        domain: 'mailinator.com',
        readable: 'mailinator.com',
        count: 1,
        blocked: 1,
      });
      expect(json.coverage).toEqual({ domainsExact: true, networksExact: true });
      expect(json.quota).toMatchObject({ limit: 10_000, used: 10 });
    });

    it('has the time that callers waited', async () => {
      const waited = [...latencies].sort((one, other) => one - other);
      await expect
        .poll(async () => (await viewer.get(path('/overview'))).json.latencyMs)
        .toEqual({
          p50: expect.toSatisfy((p50: number) => Math.abs(p50 / (waited[4] ?? 0) - 1) < 0.1),
          p95: expect.toSatisfy((p95: number) => Math.abs(p95 / (waited[9] ?? 0) - 1) < 0.1),
          p99: expect.toSatisfy((p99: number) => Math.abs(p99 / (waited[9] ?? 0) - 1) < 0.1),
        });
    });

    it('has an hour for each bar on short spans, without gaps, and nothing outside the span', async () => {
      const now = Date.now();
      const { json } = await viewer.get(path(`/overview?from=${now - 86_400_000}&to=${now}`));
      expect(json.bucketMs).toBe(3_600_000);
      expect(json.to - json.from).toBe(86_400_000);
      for (const [index, { at, until }] of json.series.entries()) {
        expect(at).toBe(index === 0 ? json.from : json.series[index - 1].until);
        if (index > 0) expect(at % json.bucketMs).toBe(0);
        expect(until - at).toBeLessThanOrEqual(json.bucketMs);
      }
      const past = await viewer.get(
        path(`/overview?from=${now - 9 * 86_400_000}&to=${now - 5 * 86_400_000}`),
      );
      expect(past.json.totals.validations).toBe(0);
      expect(past.json.latencyMs).toBeNull();
      for (const query of ['?from=5&to=5', '?from=x', `?from=0&to=${now}`])
        expect((await viewer.get(path(`/overview${query}`))).status, query).toBe(400);
    });

    it('is listed newest first, masked, in pages without gaps', async () => {
      expect(rows.map(({ requestId }) => requestId)).toEqual(
        [
          'plain-1',
          'plain-2',
          'third-2',
          'over-3',
          'role-1',
          'role-2',
          'tag-1',
          'throwaway-1',
          'relay-1',
          'own-1',
        ].reverse(),
      );
      expect(rows.at(-1)).toMatchObject({ maskedAddress: 'j***@gmail.com', keyType: 'server', mode: 'live' });
      expect(JSON.stringify(rows)).not.toContain('jane.doe');
      const paged: string[] = [];
      let next: string | null = null;
      do {
        const page: { json: { rows: Row[]; next: string | null } } = await viewer.get(
          path(`/validations?limit=3${next === null ? '' : `&cursor=${next}`}`),
        );
        paged.push(...page.json.rows.map(({ requestId }) => requestId));
        next = page.json.next;
      } while (next !== null);
      expect(paged).toEqual(rows.map(({ requestId }) => requestId));
    });

    it('can be filtered by each field, and by several at once', async () => {
      expect(await ids('?check=roleEmail')).toEqual(['role-2', 'role-1']);
      expect(await ids('?signal=role_email&domain=mail-house.net')).toEqual(['role-2', 'role-1']);
      expect(await ids('?domain=MAILINATOR.com')).toEqual(['throwaway-1']);
      expect(await ids('?recommendation=block')).toEqual(['throwaway-1']);
      expect(await ids('?check=device')).toEqual(['over-3']);
      const device = rows.find(({ requestId }) => requestId === 'plain-1')?.device;
      expect(await ids(`?device=${device}`)).toEqual(['over-3', 'third-2', 'plain-2', 'plain-1']);
      const inbox = rows.find(({ requestId }) => requestId === 'plain-1')?.inbox;
      expect(await ids(`?inbox=${inbox}`)).toEqual(['tag-1', 'plain-1']);
      expect(await ids(`?to=${rows.at(-1)?.at}`)).toEqual([]);
      expect(await ids(`?from=${Date.now() + 1000}`)).toEqual([]);
      expect(await ids('?mode=test')).toEqual([]);
      for (const query of ['?recommendation=maybe', '?check=dns', '?limit=0', '?cursor=%27', '?signal=a%20b'])
        expect((await viewer.get(path(`/validations${query}`))).status, query).toBe(400);
    });

    it('explains each validation, with what history added', async () => {
      const over = rows.find(({ requestId }) => requestId === 'over-3');
      const { json } = await viewer.get(path(`/validations/${over?.id}`));
      expect(json).toMatchObject({
        requestId: 'over-3',
        recommendation: 'flag',
        failed: ['device'],
        shared: expect.arrayContaining([{ thing: 'device', people: 3, good: 0, bad: 0 }]),
        actions: { device: 'flag' },
      });
      expect(json.checks.device).toMatchObject({ pass: false, metadata: { otherAddresses: 3 } });
      expect(json.checks.disposable.metadata.dataVersion).toEqual(expect.any(String));
      expect((await viewer.get(path('/validations/nothing'))).status).toBe(404);
      const other = await service.makeProject();
      expect((await viewer.get(`/projects/${other.id}/validations/${over?.id}`)).status).toBe(404);
    });

    it('is exported as CSV with the same filters', async () => {
      const { text, headers } = await viewer.get(path('/validations.csv'));
      expect(headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(headers['content-disposition']).toBe(`attachment; filename="validations-${project.id}.csv"`);
      const lines = text.trimEnd().split('\r\n');
      expect(lines).toHaveLength(11);
      expect(lines[1]).toContain('own-1');
      const filtered = await viewer.get(path('/validations.csv?check=roleEmail'));
      expect(filtered.text.trimEnd().split('\r\n')).toHaveLength(3);
    });

    it('is exported with country, operator and what became of the person', async () => {
      const shop = await service.makeProject();
      await shop.validate({ email: 'jane.doe@gmail.com', ip: '8.8.8.8' });
      await shop.validate({ email: 'john.doe@gmail.com' });
      const reported = await service.ask({
        method: 'POST',
        path: '/v1/outcomes',
        headers: { authorization: `Bearer ${shop.serverKey}`, 'x-project-id': shop.id },
        body: JSON.stringify({ outcomes: [{ email: 'jane.doe@gmail.com', outcome: 'bad' }] }),
      });
      expect(reported.json.recorded).toBe(1);
      const { text } = await viewer.get(`/projects/${shop.id}/validations.csv`);
      const [head = [], ...lines] = text
        .trimEnd()
        .split('\r\n')
        .map((line: string) => line.split(','));
      const cells = (line: readonly string[] | undefined) =>
        ['country', 'asn', 'operator', 'outcome'].map((name) => line?.[head.indexOf(name)]);
      expect(cells(lines[0])).toEqual(['', '', '', '']);
      expect(cells(lines[1])).toEqual(['US', '15169', expect.stringMatching(/google/i), 'bad']);
    });

    it('shows who shares a device and who shares an inbox', async () => {
      const first = rows.find(({ requestId }) => requestId === 'plain-1');
      const device = (await viewer.get(path(`/thing?device=${first?.device}`))).json;
      expect(device.facts.seen).toEqual({ times: 4, others: 4 });
      expect(device.validations.map((row: Row) => row.requestId)).toEqual([
        'over-3',
        'third-2',
        'plain-2',
        'plain-1',
      ]);
      const people = device.linked.find((each: { kind: string }) => each.kind === 'person');
      expect(people.rows.map(({ title }: { title: string }) => title)).toEqual(
        Array(4).fill('j***@gmail.com'),
      );
      const person = (await viewer.get(path(`/thing?person=${first?.inbox}`))).json;
      const devices = person.linked.find((each: { kind: string }) => each.kind === 'device');
      expect(devices.rows).toMatchObject([{ name: first?.device, people: 4 }]);
      expect((await viewer.get(path('/thing?device=nothing'))).json).toMatchObject({ validations: [] });
    });

    it('is replayed under its own policy without a difference', async () => {
      const { json } = await viewer.post(path('/time-machine'), {});
      expect(json).toMatchObject({ considered: 10, sampledFrom: null });
      // The answer says how far back the log goes, not how far back was requested.
      const { rows } = (await viewer.get(path('/validations?limit=200'))).json;
      expect(json.from).toBe(Math.min(...rows.map(({ at }: { at: number }) => at)));
      const { allow, flag, block } = json.before;
      expect({ allow: allow.count, flag: flag.count, block: block.count }).toEqual(tally(recommendations));
      expect(json.after).toEqual(json.before);
      expect(json.changes).toEqual([]);
      expect(json.otherThen.count).toBe(0);
      // The last one had its own actions, and the checks that it left out cannot be replayed.
      expect(json.unknown).toEqual(['disposable', 'mx', 'roleEmail', 'alias']);
    });

    it('is replayed under another policy with the right numbers and examples', async () => {
      const policy = {
        deviceThreshold: 2,
        actions: { device: 'block', roleEmail: 'off', disposable: 'flag' },
      };
      const { json } = await viewer.post(path('/time-machine'), { policy });
      const changes = Object.fromEntries(
        json.changes.map((change: { from: string; to: string; examples: Row[] }) => [
          `${change.from} ${change.to}`,
          change.examples.map(({ requestId }) => requestId),
        ]),
      );
      expect(changes).toEqual({
        'allow block': ['third-2'],
        'flag block': ['over-3'],
        'flag allow': ['role-2', 'role-1'],
        'block flag': ['throwaway-1'],
      });
      // Without known outcomes there are no numbers about people.
      const none = { bad: 0, badBlocked: 0, badFlagged: 0, good: 0, goodBlocked: 0, goodFlagged: 0 };
      expect(json.outcomes).toEqual({ before: none, after: none });
      expect((await viewer.post(path('/time-machine'), { policy: { deviceThreshold: 0 } })).status).toBe(400);
      expect((await viewer.post(path('/time-machine'), { days: 0 })).json.field).toBe('days');
    });
  });

  it('a replay counts by person how many bad ones it stops and how many good ones it hits', async () => {
    const { project } = await history();
    const outcomes = [
      { email: 'someone@mailinator.com', outcome: 'bad' },
      { email: 'billing@mail-house.net', outcome: 'bad' },
      // Flagged once and allowed once: the mildest answer counts.
      { email: 'support@mail-house.net', outcome: 'bad' },
      { email: 'jack.doe@gmail.com', outcome: 'good' },
      { email: 'jill.doe@gmail.com', outcome: 'good' },
      { email: 'john.doe@gmail.com', outcome: 'accepted' },
    ];
    const headers = { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id };
    const body = JSON.stringify({ outcomes });
    const told = await service.ask({ method: 'POST', path: '/v1/outcomes', headers, body });
    expect(told.json).toEqual({ recorded: 6, unknown: [] });
    const policy = {
      deviceThreshold: 2,
      actions: { device: 'block', roleEmail: 'block', disposable: 'flag' },
    };
    const { json } = await viewer.post(`/projects/${project.id}/time-machine`, { policy });
    expect(json.outcomes).toEqual({
      before: { bad: 3, badBlocked: 1, badFlagged: 1, good: 2, goodBlocked: 0, goodFlagged: 1 },
      after: { bad: 3, badBlocked: 1, badFlagged: 1, good: 2, goodBlocked: 2, goodFlagged: 0 },
    });
  });

  describe('the playground', () => {
    it('answers like the API and stores nothing', async () => {
      const { project } = await history();
      const path = `/projects/${project.id}`;
      const facts = async () => [
        (await viewer.get(`${path}/overview`)).json.totals,
        (await viewer.get(`${path}/validations`)).json.rows.length,
        (await viewer.get(path)).json.quota,
        (await viewer.get(`/audit?project=${project.id}`)).json.rows.length,
      ];
      const before = await facts();
      const body = { email: 'new.person@gmail.com', fingerprintHash: 'device-a', ip: '192.0.2.7' };
      const tried = await viewer.post(`${path}/playground`, body);
      expect([tried.status, tried.json.status]).toEqual([200, 200]);
      const again = await viewer.post(`${path}/playground`, body);
      expect(await facts()).toEqual(before);

      const real = (await project.validate(body)).json;
      for (const { json } of [tried, again]) expect(timeless(json.body)).toEqual(timeless(real));
      expect(real).toMatchObject({ recommendation: 'flag', metadata: { previousSignups: 4 } });
    });

    it('tries an unsaved policy, and returns the API’s own errors', async () => {
      const project = await service.makeProject();
      const path = `/projects/${project.id}/playground`;
      const email = 'support@mail-house.net';
      const policy = { actions: { roleEmail: 'block' } };
      expect((await viewer.post(path, { email })).json.body.recommendation).toBe('flag');
      expect((await viewer.post(path, { email, policy })).json.body.recommendation).toBe('block');
      expect((await viewer.post(path, { email })).json.body.recommendation).toBe('flag');
      expect((await viewer.post(path, {})).json).toEqual({
        status: 400,
        body: { error: 'Email address is required' },
      });
      expect((await viewer.post(path, { email: 'nobody' })).json.body.error).toBe('Invalid email format');
      expect((await viewer.post(path, { email, ip: 'here' })).json.status).toBe(400);
      expect((await viewer.post(path, { email, policy: { relays: 'maybe' } })).json.field).toBe('relays');
      expect((await viewer.post(path, { email: 'a@[192.0.2.1]' })).json.status).toBe(200);
    });
  });

  it('counts requests that the limits refused', async () => {
    const project = await service.makeProject({ quotaLimit: 2, rateServer: 4 });
    const statuses: number[] = [];
    for (let number = 0; number < 6; number += 1)
      statuses.push((await project.validate({ email: `jane.doe${number}@gmail.com` })).status);
    expect(statuses).toEqual([200, 200, 402, 402, 429, 429]);
    const { totals, quota } = (await viewer.get(`/projects/${project.id}/overview`)).json;
    expect(totals).toMatchObject({ validations: 2, allow: 2, quotaExceeded: 2, rateLimited: 2 });
    expect(quota).toMatchObject({ limit: 2, used: 2 });
  });

  it('leaves test keys out of the numbers but shows them in the log', async () => {
    const project = await service.makeProject();
    const { secret } = await service.admin((admin) =>
      createKey(admin, { projectId: project.id, type: 'server', mode: 'test' }),
    );
    const sent = { email: 'jane.doe@gmail.com', sdkVersion: '=HYPERLINK("https://evil.example")' };
    await project.validate(sent, { authorization: `Bearer ${secret}` });
    const path = `/projects/${project.id}`;
    const overview = (await viewer.get(`${path}/overview`)).json;
    expect([overview.totals.validations, overview.checks]).toEqual([0, []]);
    expect((await viewer.get(`${path}/validations?mode=test`)).json.rows).toHaveLength(1);
    expect((await viewer.post(`${path}/time-machine`)).json.considered).toBe(0);
    // Values from outside must be text in a spreadsheet, not formulas: a version has letters, digits and few signs.
    const csv = (await viewer.get(`${path}/validations.csv`)).text;
    expect(csv).toContain(',HYPERLINKhttps//evil.example,');
  });

  it('shows the health of every part, and what to do', async () => {
    const { json } = await viewer.get('/health');
    expect(json).toMatchObject({ version: expect.any(String), feeds: [] });
    const names = json.parts.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['store', 'dns', 'domains', 'networks']));
    for (const part of json.parts) {
      const isOld = part.facts.ageDays > (part.name === 'domains' ? 60 : 120);
      const message = isOld ? expect.stringContaining('days ago') : null;
      expect(part).toMatchObject({ status: isOld ? 'degraded' : 'ok', message });
    }
  });
});
