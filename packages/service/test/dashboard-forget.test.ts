import { DAY_MS } from '@postern/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { member } from './support/dashboard.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

it('an admin can erase a person from a project after seeing the counts', async () => {
  const project = await service.makeProject();
  await project.validate({ email: 'jane.doe@gmail.com', fingerprintHash: 'device-1' });
  await project.validate({ email: 'bob@mail-house.net', fingerprintHash: 'device-1' });
  const path = `/projects/${project.id}/forget`;
  const admin = await member(service, 'admin');
  const kept = { inboxes: 1, devices: 0, sightings: 1, logRows: 1, outcomes: 0, claims: 0, listedIn: [] };
  const jane = { email: 'janedoe@googlemail.com' };
  expect((await admin.post(path, jane)).json).toEqual({ ...kept, erased: false });
  expect((await (await member(service, 'viewer')).post(path, { ...jane, erase: true })).status).toBe(403);
  expect((await admin.post(path, { ...jane, erase: true })).json).toEqual({ ...kept, erased: true });
  expect((await admin.post(path, jane)).json).toMatchObject({ inboxes: 0, sightings: 0, logRows: 0 });
  const log = (await admin.get(`/projects/${project.id}/validations`)).json.rows;
  expect(log.map(({ domain }: { domain: string }) => domain)).toEqual(['mail-house.net']);

  const device = await admin.post(path, { fingerprintHash: 'device-1', erase: true });
  expect(device.json).toMatchObject({ devices: 1, sightings: 1, logRows: 1 });
  for (const body of [{}, { email: 5 }, { email: 'nobody' }, { ...jane, erase: 'yes' }, { mail: 'x' }]) {
    expect((await admin.post(path, body)).status, JSON.stringify(body)).toBe(400);
  }
  expect((await admin.post('/projects/nothing/forget', jane)).status).toBe(404);
});

it('an admin can export what is stored about a person, and the audit log notes it without the person', async () => {
  const project = await service.makeProject();
  await project.validate({ email: 'jane.doe@gmail.com', fingerprintHash: 'device-1' });
  const admin = await member(service, 'admin');
  const { inbox } = (await admin.get(`/projects/${project.id}/validations`)).json.rows[0];
  const path = `/projects/${project.id}/people/${inbox}/export`;
  const answer = await admin.get(path);
  expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="person-.{8}\.json"$/);
  expect(answer.json).toMatchObject({
    inboxes: [inbox],
    validations: [{ maskedAddress: 'j***@gmail.com' }],
    sightings: [{ inboxHash: inbox }],
  });
  expect((await (await member(service, 'viewer')).get(path)).status).toBe(403);
  const { rows } = (await admin.get(`/audit?project=${project.id}&action=person.export`)).json;
  expect(rows).toMatchObject([{ detail: { logRows: 1, sightings: 1 } }]);
  expect(JSON.stringify(rows)).not.toContain(inbox);
});

it('tells before and after erasing which lists name the person, whatever spelling they have', async () => {
  const project = await service.makeProject();
  await project.validate({ email: 'janedoe@gmail.com' });
  const admin = await member(service, 'admin');
  const { inbox } = (await admin.get(`/projects/${project.id}/validations`)).json.rows[0];
  const spelled = { list: 'blockList', add: { value: 'jane.doe+shop@gmail.com' } };
  const hashed = { list: 'allowList', add: { value: `person:${inbox}` } };
  expect((await admin.post(`/projects/${project.id}/lists`, { changes: [spelled, hashed] })).status).toBe(
    200,
  );
  const erase = `/projects/${project.id}/people/${inbox}/erase`;
  const listedIn = ['allowList', 'blockList'];
  expect((await admin.post(erase, {})).json).toMatchObject({ inboxes: 1, listedIn });
  const forget = { email: 'janedoe@googlemail.com', erase: true };
  expect((await admin.post(`/projects/${project.id}/forget`, forget)).json).toMatchObject({
    inboxes: 1,
    listedIn,
  });
  expect((await admin.post(erase, { erase: true })).json).toMatchObject({ inboxes: 0, listedIn });
});

it('an export has what outlives the log, and what else is stored about the person', async () => {
  const project = await service.makeProject();
  const headers = { 'x-request-id': 'the-first-request' };
  await project.validate({ email: 'jane.doe@gmail.com', fingerprintHash: 'device-1' }, headers);
  const admin = await member(service, 'admin');
  const { inbox } = (await admin.get(`/projects/${project.id}/validations`)).json.rows[0];
  const limits = { maxRows: 1_000, logRetentionMs: 1, outcomeRetentionMs: 180 * DAY_MS, logMaxRows: 1_000 };
  await service.admin(async ({ store }) => {
    while ((await store.sweep(Date.now(), limits)) > 0);
  });
  const { validations, others } = (await admin.get(`/projects/${project.id}/people/${inbox}/export`)).json;
  expect(validations).toEqual([]);
  expect(others).toMatchObject({
    inbox: [{ inbox, spelling: expect.any(String), firstSeen: expect.any(Number) }],
    person: [{ inbox, words: expect.any(String), checks: expect.any(String) }],
    person_request: [{ inbox, requestId: 'the-first-request' }],
    event: [],
    delivery: [],
  });
});

it('no audit entry has the hash of a person, whose notes and list entries were changed', async () => {
  const project = await service.makeProject();
  await project.validate({ email: 'jane.doe@gmail.com' });
  const admin = await member(service, 'admin');
  const { inbox } = (await admin.get(`/projects/${project.id}/validations`)).json.rows[0];
  const subject = `person:${inbox}`;
  await admin.post(`/projects/${project.id}/timeline`, { subject, note: 'Asked by mail.' });
  await admin.post(`/projects/${project.id}/lists`, {
    changes: [{ list: 'blockList', add: { value: subject } }],
  });
  const { rows } = (await admin.get(`/audit?project=${project.id}`)).json;
  expect(rows.map(({ action }: { action: string }) => action)).toEqual(
    expect.arrayContaining(['note.create', 'project.lists']),
  );
  expect(JSON.stringify(rows)).not.toContain(inbox);
});
