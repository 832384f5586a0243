import type { ListChange, RingDetail, RingsView, TimelineView } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import { ordinaryMail } from './support/dns-server.ts';
import { RING_DOMAINS, RING_NETWORK, RING_SIGN_UPS, signUp } from './support/ring-sign-ups.ts';
import { KNOWN_MAIL, type TestProject, type TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';
import { untilCounted } from './support/until-counted.ts';

describe.each(USUAL_BACK_ENDS)('rings on %s', (backEnd) => {
  let service: TestService;
  let analyst: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;
  const answerTo = async (email: string, fingerprintHash: string) =>
    (await untilCounted(() => project.validate({ email, ip: '81.2.69.1', fingerprintHash }))).json
      .recommendation;

  beforeAll(async () => {
    service = await startServiceOn(backEnd, { zone: { ...KNOWN_MAIL, ...ordinaryMail(...RING_DOMAINS) } });
    analyst = await member(service, 'analyst');
    project = await service.makeProject();
    await signUp(project, RING_SIGN_UPS);
    await signUp(
      project,
      Array.from({ length: 20 }, (_, index) => ({
        email: `jane.doe${index}@gmail.com`,
        ip: `81.2.69.${index}`,
        fingerprintHash: `own-device-${index}`,
      })),
    );
  });
  afterAll(() => service.close());

  it('come out whole, with the reasons, and can be listed and decided as a whole and taken back', async () => {
    const { rings, total, people }: RingsView = (await analyst.get(path('/rings'))).json;
    expect([total, people]).toEqual([1, 123]);
    expect(rings[0]).toMatchObject({ people: 103, devices: 4, networks: 1, domainCount: 3, bad: 0, good: 0 });
    const ringOf = async (hash: string): Promise<RingDetail> =>
      (await analyst.get(path(`/rings/${hash}`))).json;
    const ring = await ringOf(rings[0]?.id ?? '');
    expect(ring.allNetworks).toEqual([{ name: RING_NETWORK, people: 103, others: 0, isCommon: false }]);
    expect(new Set(ring.allDomains.map(({ name }) => name))).toEqual(new Set(RING_DOMAINS));
    expect(ring.members).toHaveLength(103);
    for (const { links, maskedAddress, validation } of ring.members) {
      expect(links[0]?.kind).toBe('device');
      expect(maskedAddress).toMatch(/^o\*\*\*@/);
      expect(validation).toMatch(/^[0-9a-z]{24}$/);
    }
    // Any of its people or devices names it.
    expect((await ringOf(ring.allDevices[3]?.name ?? '')).id).toBe(ring.id);
    expect((await ringOf(ring.members[77]?.inbox ?? '')).id).toBe(ring.id);
    expect((await analyst.get(path('/rings/nobody'))).status).toBe(404);

    const [known] = RING_SIGN_UPS;
    expect(await answerTo(known?.email ?? '', 'a-new-device')).not.toBe('block');
    const changes = [
      ...ring.members.map(({ inbox }) => `person:${inbox}`),
      ...ring.allDevices.map(({ name }) => `device:${name}`),
    ].map((value): ListChange => ({ list: 'blockList', add: { value, note: 'A ring' } }));
    const listed = await analyst.post(path('/lists'), { changes });
    expect([listed.status, listed.json.undo.length]).toEqual([200, 107]);
    expect(await answerTo(known?.email ?? '', 'a-new-device')).toBe('block');
    expect(await answerTo('somebody.else@gmail.com', 'ring-device-3')).toBe('block');
    await analyst.post(path('/lists'), { changes: listed.json.undo });
    expect(await answerTo(known?.email ?? '', 'a-new-device')).not.toBe('block');

    const validations = ring.members.map(({ validation }) => validation);
    const decided = await analyst.post(path('/judge'), { validations, outcome: 'bad', reason: 'A ring' });
    expect([decided.status, decided.json.bad]).toEqual([200, 103]);
    expect(await ringOf(ring.id)).toMatchObject({ bad: 103, good: 0 });
    const undone = await analyst.post(path('/judge/undo'), { undo: decided.json.undo });
    expect([undone.status, undone.json]).toEqual([200, { undone: 103 }]);
    expect(await ringOf(ring.id)).toMatchObject({ bad: 0, good: 0 });
  });

  it('are noted in the timelines of their people, with notes and reports, until a person is erased', async () => {
    const viewer = await member(service, 'viewer');
    const read = async (subject: string, client = viewer): Promise<TimelineView> =>
      (await client.get(path(`/timeline?subject=${encodeURIComponent(subject)}`))).json;
    const write = async (body: object) => (await analyst.post(path('/timeline'), body)).status;
    const email = 'kim.lee@gmail.com';
    await untilCounted(() => project.validate({ email, ip: '81.2.69.9', fingerprintHash: 'kim' }));
    const [row] = (await analyst.get(path('/validations?limit=1'))).json.rows;
    const subject = `person:${row.inbox}`;
    const list = (change: object) => analyst.post(path('/lists'), { changes: [change] });

    await list({ list: 'blockList', add: { value: email, note: 'a chargeback' } });
    await list({ list: 'blockList', remove: email });
    const judged = await analyst.post(path('/judge'), {
      validations: [row.id],
      outcome: 'bad',
      reason: 'stolen card',
    });
    await analyst.post(path('/judge/undo'), { undo: judged.json.undo });
    expect(await write({ subject, note: 'Called them.\nNobody answered.' })).toBe(200);
    await service.ask({
      method: 'POST',
      path: '/v1/outcomes',
      headers: { authorization: `Bearer ${project.serverKey}`, 'x-project-id': project.id },
      body: JSON.stringify({ outcomes: [{ email, outcome: 'good', reason: 'paid' }] }),
    });
    const { entries } = await read(subject);
    expect(entries.map(({ kind, text }) => [kind, text])).toEqual([
      ['good', 'paid'],
      ['note', 'Called them.\nNobody answered.'],
      ['unknown', 'taken back'],
      ['bad', 'stolen card'],
      ['unlisted', ''],
      ['block_list', 'a chargeback'],
    ]);
    expect(entries.map(({ actorName }) => actorName)).toEqual([null, ...Array(5).fill('A analyst')]);
    expect(entries[0]?.actor).toBe('backend');

    for (const other of [`device:${row.device}`, 'mail-harbour.net', '203.0.113.0/24', 'AS64500']) {
      expect(await write({ subject: other, note: `About ${other}` })).toBe(200);
      expect((await read(other)).entries[0]).toMatchObject({ kind: 'note', text: `About ${other}` });
    }
    for (const wrong of [
      { subject: 'nonsense', note: 'x' },
      { subject: email, note: 'x' },
      { subject, note: '' },
      { subject, note: 'x'.repeat(2_001) },
      { subject },
    ])
      expect(await write(wrong), JSON.stringify(wrong)).toBe(400);
    expect((await viewer.post(path('/timeline'), { subject, note: 'x' })).status).toBe(403);

    const audited = (await (await member(service, 'owner')).get(`/audit?project=${project.id}`)).text;
    expect(audited).toContain('note.create');
    expect(audited).not.toContain('Called them');

    const note = entries.find(({ kind }) => kind === 'note')?.id;
    const remove = (client: DashboardClient) =>
      client.call('DELETE', path(`/timeline/${note}?subject=${encodeURIComponent(subject)}`));
    expect([(await remove(viewer)).status, (await remove(analyst)).status]).toEqual([403, 204]);
    expect((await remove(analyst)).status).toBe(404);
    expect((await read(subject)).entries).toHaveLength(5);

    const admin = await member(service, 'admin');
    const exported = (await admin.get(path(`/people/${row.inbox}/export`))).json;
    expect(exported.timeline).toHaveLength(4);
    await admin.post(path(`/people/${row.inbox}/erase`), { erase: true });
    expect(await read(subject)).toEqual({ subject, entries: [] });
  });
});
