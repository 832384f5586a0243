import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let admin: DashboardClient;
let other: DashboardClient;
let viewer: DashboardClient;

beforeAll(async () => {
  service = await startService();
  admin = await member(service, 'admin');
  other = await member(service, 'admin');
  viewer = await member(service, 'viewer');
});
afterAll(() => service.close());

function report({ id, serverKey }: TestProject, outcomes: unknown[]) {
  return service.ask({
    method: 'POST',
    path: '/v1/outcomes',
    headers: { authorization: `Bearer ${serverKey}`, 'x-project-id': id },
    body: JSON.stringify({ outcomes }),
  });
}

const JANES = ['jane.doe', 'mary.smith', 'john.miller', 'anna.baker', 'peter.jones', 'lisa.brown'];

describe('the review queue', () => {
  it('shows flagged validations and who is viewing them, and accepts one decision', async () => {
    const project = await service.makeProject();
    const path = `/projects/${project.id}/review`;
    await project.validate({ email: 'admin@mail-house.net' });
    await project.validate({ email: 'janedoe+x@gmail.com' });
    await project.validate({ email: 'bob.smith@gmail.com' });
    const { json } = await viewer.get(path);
    expect(json).toMatchObject({ open: 2, next: null });
    expect(json.rows.map(({ maskedAddress }: { maskedAddress: string }) => maskedAddress)).toEqual([
      'a***@mail-house.net',
      'j***@gmail.com',
    ]);
    expect(json.rows.map(({ mailProvider }: { mailProvider: boolean }) => mailProvider)).toEqual([
      false,
      true,
    ]);
    expect((await viewer.get(`${path}?limit=0`)).json).toEqual({
      open: 2,
      sorted: null,
      rows: [],
      next: null,
    });
    const [first] = json.rows;
    expect((await viewer.post(`${path}/${first.id}/decide`, { decision: 'good' })).status).toBe(403);
    expect((await admin.post(`${path}/${first.id}/decide`, { decision: 'maybe' })).status).toBe(400);
    expect((await admin.post(`${path}/${first.id}/decide`, { decision: 'bad', reason: 'spam' })).status).toBe(
      200,
    );
    expect((await other.post(`${path}/${first.id}/decide`, { decision: 'good' })).status).toBe(409);
    expect((await admin.get(path)).json.open).toBe(1);
    expect((await admin.get(`/projects/${project.id}/outcomes`)).json).toMatchObject({ known: 1, bad: 1 });
    expect((await admin.get(`/projects/${project.id}/events`)).json.rows).toMatchObject([
      { type: 'review.decided', data: { decision: 'bad' } },
    ]);
    expect((await admin.post(`${path}/nothing/decide`, { decision: 'good' })).status).toBe(404);
  });

  it('says who else came with the same things, and how they turned out', async () => {
    const project = await service.makeProject();
    const [first, second] = ['ida@mail-house.net', 'ada@mail-house.net'];
    const [ip, fingerprintHash] = ['81.2.69.7', 'a'.repeat(32)];
    for (const email of [first, second]) await project.validate({ email, ip, fingerprintHash });
    await project.validate({ email: 'eva.lovelace@gmail.com', ip });
    await report(project, [
      { email: first, outcome: 'bad' },
      { email: second, outcome: 'good' },
    ]);
    await project.validate({ email: 'alone.jones@gmail.com' });
    const { rows } = (await viewer.get(`/projects/${project.id}/validations`)).json;
    const sharedOf = async (row: { id: string }) =>
      (await viewer.get(`/projects/${project.id}/validations/${row.id}`)).json.shared;
    const [alone, last, middle] = rows;
    expect(await sharedOf(alone)).toEqual([]);
    expect(await sharedOf(last)).toEqual([{ thing: 'network', people: 2, good: 1, bad: 1 }]);
    const shared = await sharedOf(middle);
    expect(shared).toContainEqual({ thing: 'device', people: 1, good: 0, bad: 1 });
    expect(shared).toContainEqual({ thing: 'domain', people: 1, good: 0, bad: 1 });
    expect(shared).toContainEqual({ thing: 'network', people: 2, good: 0, bad: 1 });
  });

  it('keeps what one member passed on for the others, and says who decided', async () => {
    const project = await service.makeProject();
    const path = `/projects/${project.id}/review`;
    await project.validate({ email: 'admin@mail-house.net' });
    const [row] = (await admin.get(path)).json.rows;
    const passed = await admin.post(`${path}/${row.id}/decide`, { decision: 'passed' });
    expect([passed.status, passed.json]).toEqual([200, { decided: false, undo: [] }]);
    expect((await admin.get(path)).json).toMatchObject({ open: 0, rows: [] });
    expect((await admin.get(`${path}?limit=0`)).json.open).toBe(0);
    expect((await other.get(path)).json).toMatchObject({ open: 1, rows: [{ id: row.id }] });
    expect((await other.get(`${path}?limit=0`)).json.open).toBe(1);
    const open = async (query: string) => (await admin.get(`${path}?${query}`)).json.open;
    expect([await open('passed=1'), (await other.get(`${path}?passed=1`)).json.open]).toEqual([1, 0]);
    expect((await admin.post(`${path}/${row.id}/decide`, { decision: 'waiting' })).json.decided).toBe(false);
    expect([await open('passed=1'), await open('')]).toEqual([0, 1]);
    await admin.post(`${path}/${row.id}/decide`, { decision: 'passed' });
    expect((await admin.get(`/projects/${project.id}/events`)).json.rows).toEqual([]);
    expect((await other.post(`${path}/${row.id}/decide`, { decision: 'bad' })).json).toMatchObject({
      decided: true,
    });
    const again = await other.post(`${path}/${row.id}/decide`, { decision: 'bad' });
    expect([again.status, again.json.error]).toEqual([
      409,
      expect.stringMatching(/^You have already decided/),
    ]);
    const late = await admin.post(`${path}/${row.id}/decide`, { decision: 'passed' });
    expect([late.status, late.json.error]).toEqual([409, expect.stringMatching(/^Somebody else/)]);
    expect((await admin.get(`/projects/${project.id}/events`)).json.rows).toHaveLength(1);
  });

  it('takes decisions back and corrects them, each time with an event', async () => {
    const project = await service.makeProject();
    const at = (path: string) => `/projects/${project.id}${path}`;
    await project.validate({ email: 'admin@mail-house.net' });
    const [row] = (await admin.get(at('/review'))).json.rows;
    const known = async () => (await admin.get(at(`/validations/${row.id}`))).json.judgement;
    const decided = await admin.post(at(`/review/${row.id}/decide`), { decision: 'good' });
    expect(await known()).toMatchObject({ outcome: 'good' });
    const undone = await other.post(at('/judge/undo'), { undo: decided.json.undo });
    expect([undone.json, await known()]).toEqual([{ undone: 1 }, null]);
    expect((await admin.get(at('/review'))).json).toMatchObject({ open: 1, rows: [{ id: row.id }] });
    // Taken back once, there is nothing left to take back.
    expect((await admin.post(at('/judge/undo'), { undo: decided.json.undo })).json).toEqual({ undone: 0 });

    await admin.post(at(`/review/${row.id}/decide`), { decision: 'good' });
    const corrected = { validations: [row.id], outcome: 'bad', reason: 'chargeback' };
    expect((await other.post(at('/judge'), corrected)).json).toMatchObject({ good: 0, bad: 1 });
    expect(await known()).toMatchObject({ outcome: 'bad', reason: 'chargeback' });
    await other.post(at('/judge'), { validations: [row.id], outcome: 'unknown' });
    expect(await known()).toBeNull();
    expect((await admin.get(at('/review'))).json.open).toBe(1);
    const { rows } = (await admin.get(at('/events'))).json;
    const said = rows.map(({ data }: { data: { decision: string; previous?: string } }) => [
      data.decision,
      data.previous,
    ]);
    expect(said.reverse()).toEqual([
      ['good', undefined],
      ['unknown', 'good'],
      ['good', undefined],
      ['bad', 'good'],
      ['unknown', 'bad'],
    ]);
    expect((await admin.get(at('/outcomes'))).json).toMatchObject({ known: 0, bad: 0 });
  });

  it('is filtered, and decided as a selection that can be taken back', async () => {
    const project = await service.makeProject();
    const at = (path: string) => `/projects/${project.id}${path}`;
    for (const name of ['info', 'sales', 'admin'])
      await project.validate({ email: `${name}@mail-house.net`, ip: '203.0.113.9' });
    await project.validate({ email: 'janedoe+x@gmail.com' });
    const queue = async (query: string) => (await admin.get(at(`/review?${query}`))).json;
    const surge = await queue('network=203.0.113.0/24&check=roleEmail');
    expect(surge).toMatchObject({ open: 3, sorted: null });
    expect((await queue('domain=!mail-house.net')).open).toBe(1);
    expect((await queue(`from=${Date.now() + 60_000}`)).open).toBe(0);

    const ids: string[] = surge.rows.map(({ id }: { id: string }) => id);

    await other.post(at(`/review/${ids[0]}/decide`), { decision: 'good' });
    const all = { validations: [...ids, 'gone'], decision: 'bad', reason: 'surge' };
    const decided = await admin.post(at('/review/decide'), all);
    expect(decided.json).toMatchObject({ decided: 2, skipped: 2 });
    expect((await queue('')).open).toBe(1);
    expect((await admin.get(at('/outcomes'))).json).toMatchObject({ known: 3, bad: 2 });
    expect((await admin.post(at('/judge/undo'), { undo: decided.json.undo })).json).toEqual({ undone: 2 });
    expect((await queue('')).open).toBe(3);
    expect((await admin.post(at('/review/decide'), { ...all, validations: [] })).status).toBe(400);
    expect((await viewer.post(at('/review/decide'), all)).status).toBe(403);
  });

  it('loses a sign-up whose outcome is reported', async () => {
    const project = await service.makeProject();
    const path = `/projects/${project.id}/review`;
    await project.validate({ email: 'admin@mail-house.net' });
    await report(project, [{ email: 'admin@mail-house.net', outcome: 'accepted' }]);
    expect((await admin.get(path)).json.open).toBe(1);
    await report(project, [{ email: 'admin@mail-house.net', outcome: 'good' }]);
    expect((await admin.get(path)).json).toMatchObject({ open: 0, rows: [] });
  });

  it('can be sorted by risk', async () => {
    const project = await service.makeProject();
    const path = `/projects/${project.id}/review?order=riskiest`;
    for (let index = 0; index < 6; index += 1) {
      await project.validate({
        email: `info@firm${index}.mail-house.net`,
        validations: { roleEmail: 'flag' },
      });
      await report(project, [{ email: `info@firm${index}.mail-house.net`, outcome: 'bad' }]);
    }
    await project.validate({ email: 'janedoe+x@gmail.com' });
    await project.validate({ email: 'sales@mail-house.net' });
    const { rows } = (await admin.get(path)).json;
    expect(rows.at(-1)).toMatchObject({ maskedAddress: 'j***@gmail.com', risk: null });
    expect(rows[0]).toMatchObject({ risk: 1 });
    // The same share as on What works.
    const works = (await admin.get(`/projects/${project.id}/outcomes`)).json;
    expect(works.rows.find(({ name }: { name: string }) => name === 'role_email').share).toBe(rows[0].risk);
  });
});

describe('the report of signals and checks', () => {
  it('counts the days that are asked for', async () => {
    const project = await service.makeProject();
    await project.validate({ email: 'admin@mail-house.net' });
    await report(project, [{ email: 'admin@mail-house.net', outcome: 'bad' }]);
    expect((await admin.get(`/projects/${project.id}/outcomes?days=30`)).json).toMatchObject({
      days: 30,
      known: 1,
    });
    expect((await admin.get(`/projects/${project.id}/outcomes?days=0`)).status).toBe(400);
  });
});

describe('the time machine', () => {
  it('counts the known people whom flagging a signal would have hit', async () => {
    const project = await service.makeProject();
    const outcomes: object[] = [];
    for (let index = 0; index < 40; index += 1) {
      const bad = index < 34;
      const generated = `xk${'qwzjvbhtgf'[index % 10]}z${'rtplkmnbvc'[Math.floor(index / 4)]}qvw${'wxzq'[index % 4]}j`;
      const email = bad ? `${generated}@mail-house.net` : `${JANES[index - 34]}@mail-house.net`;
      await project.validate({ email });
      outcomes.push({ email, outcome: bad && index !== 0 ? 'bad' : 'good' });
    }
    expect((await report(project, outcomes)).json).toMatchObject({ recorded: 40 });
    const policy = { signals: { random_local_part: 'flag' } };
    const tried = await admin.post(`/projects/${project.id}/time-machine`, { policy, days: 90 });
    expect(tried.json.outcomes).toMatchObject({
      before: { badFlagged: 0, goodFlagged: 0 },
      after: { bad: 33, badFlagged: 33, good: 7, goodFlagged: 1 },
    });
  });
});

describe('webhooks in the dashboard', () => {
  it('have a name, in the list and the audit log, and a summary of their deliveries', async () => {
    const project = await service.makeProject();
    const path = `/projects/${project.id}/webhooks`;
    const url = 'http://127.0.0.1:9/hook';
    for (const name of ['x'.repeat(65), 'two\nlines', 'a\u0000b', 'bell\u0007', ' ', 7])
      for (const { status, json } of [await admin.post(path, { url, name })]) {
        expect([name, status, json.field]).toEqual([name, 400, 'name']);
        expect(json.error).toContain('one line with 1 to 64 characters');
      }
    expect((await admin.get(path)).json).toEqual([]);
    const { id } = (await admin.post(path, { url, name: `  ${'n'.repeat(64)} ` })).json;
    const listed = async () => (await viewer.get(path)).json[0];
    expect(await listed()).toMatchObject({
      name: 'n'.repeat(64),
      lastDay: { pending: 0, delivered: 0, failed: 0 },
      lastDelivery: null,
    });
    // What is not named stays as it is, and null takes the name away.
    const change = async (body: object) => (await admin.call('PATCH', `/webhooks/${id}`, body)).json.name;
    expect(await change({ name: 'Fraud desk' })).toBe('Fraud desk');
    expect(await change({ events: ['test.ping'] })).toBe('Fraud desk');
    await admin.post(`/webhooks/${id}/ping`);
    expect(await listed()).toMatchObject({
      name: 'Fraud desk',
      lastDay: { pending: 1, delivered: 0, failed: 0 },
      lastDelivery: { type: 'test.ping', state: 'pending' },
    });
    expect(await change({ name: null })).toBeNull();
    expect(await change({ name: 'Night shift' })).toBe('Night shift');
    await admin.call('PATCH', `/webhooks/${id}`, { paused: true });
    await admin.call('DELETE', `/webhooks/${id}`);
    const { rows } = (await admin.get(`/audit?project=${project.id}&limit=50`)).json;
    const named = rows.map(({ action, detail }: { action: string; detail: { name?: string } }) => [
      ...[action, detail.name?.slice(0, 11)],
    ]);
    expect(named.filter(([action]: [string]) => action.startsWith('webhook.'))).toEqual([
      ['webhook.delete', 'Night shift'],
      ['webhook.pause', 'Night shift'],
      ['webhook.update', 'Night shift'],
      ['webhook.update', undefined],
      ['webhook.update', 'Fraud desk'],
      ['webhook.update', 'Fraud desk'],
      ['webhook.create', 'nnnnnnnnnnn'],
    ]);
  });

  it('can be created, listed without secrets, pinged, rotated and deleted', async () => {
    const project = await service.makeProject();
    const path = `/projects/${project.id}/webhooks`;
    expect((await viewer.post(path, { url: 'https://hooks.example/x' })).status).toBe(403);
    for (const body of [
      {},
      { url: 'ftp://x' },
      { url: 'mailto:%zz@x.example' },
      { url: 'https://a:b@x.example' },
      { url: 'https://x.example', events: ['x'] },
    ])
      expect((await admin.post(path, body)).status, JSON.stringify(body)).toBe(400);
    const made = await admin.post(path, { url: 'https://127.0.0.1:1/x', events: ['test.ping'] });
    expect(made.status).toBe(201);
    expect(made.json.secret).toMatch(/^whsec_/);
    const { id } = made.json;
    const listed = await viewer.get(path);
    expect(listed.json).toMatchObject([{ id, url: 'https://127.0.0.1:1/x', events: ['test.ping'] }]);
    expect(listed.text).not.toContain('whsec_');
    expect((await admin.post(`/webhooks/${id}/ping`)).status).toBe(200);
    const [delivery] = (await viewer.get(`/webhooks/${id}/deliveries`)).json.rows;
    expect(delivery).toMatchObject({ type: 'test.ping' });
    const deliveryPath = `${path}/${id}/deliveries/${delivery.id}`;
    expect(JSON.parse((await viewer.get(deliveryPath)).json.body)).toMatchObject({
      type: 'test.ping',
      data: { project: project.id },
    });
    expect((await admin.post(`${deliveryPath}/resend`)).json).toMatchObject({ state: 'pending' });
    // A delivery is not found in another project, under another webhook, or under a name that it does not have.
    const other = await service.makeProject();
    for (const wrong of [
      deliveryPath.replace(project.id, other.id),
      deliveryPath.replace(id, 'wh_other'),
      `${deliveryPath}x`,
    ]) {
      expect((await viewer.get(wrong)).status, wrong).toBe(404);
      expect((await admin.post(`${wrong}/resend`)).status, wrong).toBe(404);
    }
    const rotated = (await admin.post(`/webhooks/${id}/rotate`)).json;
    expect(rotated.secret).not.toBe(made.json.secret);
    expect(rotated.previousSecretUntil).toBeGreaterThan(Date.now());
    expect((await admin.call('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect((await admin.get(`/webhooks/${id}/deliveries`)).status).toBe(404);
  });
});
