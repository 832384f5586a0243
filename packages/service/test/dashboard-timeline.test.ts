import type { TimelineView } from '@postern/contract/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DashboardClient, member } from './support/dashboard.ts';
import type { TestProject, TestService } from './support/service.ts';
import { startServiceOn, USUAL_BACK_ENDS } from './support/service-on.ts';
import { untilCounted } from './support/until-counted.ts';

describe.each(USUAL_BACK_ENDS)('timelines on %s', (backEnd) => {
  let service: TestService;
  let analyst: DashboardClient;
  let project: TestProject;
  const path = (rest: string) => `/projects/${project.id}${rest}`;
  beforeAll(async () => {
    service = await startServiceOn(backEnd);
    analyst = await member(service, 'analyst');
    project = await service.makeProject();
  });
  afterAll(() => service.close());

  it('have decisions, notes and reports about a person, until the person is erased', async () => {
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
