import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestProject, type TestService } from '../../service/test/support/service.ts';
import { type Postern, posternOn } from './support/postern.ts';

let service: TestService;
let project: TestProject;
let postern: Postern;
beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
  postern = posternOn({ POSTERN_DATA_DIR: service.dataDir, POSTERN_FEEDS: 'off' });
});
afterAll(() => service.close());

const previousSignups = async (email: string) =>
  (await project.validate({ email, fingerprintHash: 'device-1' })).json.metadata.previousSignups;
const forget = (...args: string[]) => postern('forget', '--project', project.id, ...args);

test('forget erases an inbox in every spelling while the service runs, and does not print whose it was', async () => {
  await previousSignups('jane.doe@gmail.com');
  await previousSignups('janedoe+shop@googlemail.com');
  await previousSignups('bob@mail-house.net');
  expect(await previousSignups('bob@mail-house.net')).toBe(2);

  const kept = { inboxes: 1, devices: 0, sightings: 1, logRows: 2, outcomes: 0, claims: 0, listedIn: [] };
  const { json: counted } = await forget('--email', 'Jane.Doe+x@GMAIL.com', '--json');
  expect(counted).toEqual({ projectId: project.id, ...kept, erased: false });
  const { out } = await forget('--email', 'janedoe@gmail.com');
  expect(out).toMatch(/Log rows +2\n[\s\S]*Nothing was erased/);
  const { json: erased } = await forget('--email', 'janedoe@gmail.com', '--yes', '--json');
  expect(erased).toEqual({ projectId: project.id, ...kept, erased: true });
  expect((await forget('--email', 'jane.doe@gmail.com', '--json')).json).toMatchObject({
    inboxes: 0,
    logRows: 0,
  });

  expect(await previousSignups('bob@mail-house.net')).toBe(1);
  const { alias } = (await project.validate({ email: 'jane.doe@gmail.com' })).json.checks;
  expect(alias.pass).toBe(true);
  const [entry] = await service.admin(({ store }) => store.audit.page(project.id, 1, null));
  expect(entry).toMatchObject({ actor: 'cli', action: 'person.forget', detail: { inboxes: 1, logRows: 2 } });
  expect(JSON.stringify(entry)).not.toMatch(/jane.?doe/i);
});

test('forget erases a tagged address with any DNS result, and a device by its fingerprint', async () => {
  await project.validate({ email: 'sue+a@mail-house.net', fingerprintHash: 'device-2' });
  expect((await forget('--email', 'sue+a@mail-house.net', '--yes', '--json')).json).toMatchObject({
    inboxes: 1,
  });
  await project.validate({ email: 'tim@mail-house.net', fingerprintHash: 'device-2' });
  const { json } = await forget('--fingerprint', 'device-2', '--yes', '--json');
  expect(json).toMatchObject({ inboxes: 0, devices: 1, sightings: 1, logRows: 1 });
});

test('forget says which entries stay in the project’s lists, and reports invalid input', async () => {
  await postern('project', 'update', project.id, '--always-block', 'mallory@mail-house.net');
  const { json, out } = await forget('--email', 'mallory@mail-house.net', '--json');
  expect([json.listedIn, out.includes('mallory')]).toEqual([['blockList'], false]);
  expect((await forget('--email', 'mallory@mail-house.net')).out).toMatch(/block list and stays there/);
  const lists = `/projects/${project.id}/named-lists`;
  await postern('api', `POST ${lists}`, '--body', '{"name": "watched"}');
  const add = '{"add": [{"value": "mallory@mail-house.net"}]}';
  await postern('api', `POST ${lists}/watched`, '--body', add);
  const erased = await forget('--email', 'mallory@mail-house.net', '--yes', '--json');
  expect(erased.json.listedIn).toEqual(['blockList', 'watched']);
  const [watched] = (await postern('api', `GET ${lists}`)).json;
  expect(watched.entries).toMatchObject([{ value: 'mallory@mail-house.net' }]);
  expect((await forget('--email', 'mallory@mail-house.net')).out).toMatch(/named-lists\/watched' --body/);
  for (const args of [[], ['--email', 'nobody'], ['--fingerprint', '']]) {
    expect((await forget(...args)).code, args.join(' ')).toBe(2);
  }
  expect((await postern('forget', '--project', 'nothing', '--email', 'a@b.co')).code).not.toBe(0);
});

test('person export prints everything about an inbox in every spelling, and the audit log says how much', async () => {
  await project.validate({ email: 'ann.example@gmail.com', fingerprintHash: 'device-9' });
  await project.validate({ email: 'annexample+x@gmail.com', fingerprintHash: 'device-9' });
  await project.validate({ email: 'somebody.else@gmail.com', fingerprintHash: 'device-9' });
  await postern('project', 'update', project.id, '--always-allow', 'ann.example@gmail.com');
  const { code, json, out } = await postern(
    ...['person', 'export', '--project', project.id, '--email', 'AnnExample@googlemail.com'],
  );
  expect(code).toBe(0);
  expect(json).toMatchObject({ projectId: project.id, listedIn: ['allowList'] });
  expect(json.validations).toHaveLength(2);
  expect(json.validations[0]).toMatchObject({ maskedAddress: 'a***@gmail.com', checks: expect.anything() });
  expect(json.sightings).toMatchObject([{ inboxHash: json.inboxes[0], count: 2 }]);
  expect(out).not.toMatch(/annexample|ann\.example/i);
  const [entry] = await service.admin(({ store }) => store.audit.page(project.id, 1, null));
  expect(entry).toMatchObject({ action: 'person.export', detail: { logRows: 2, sightings: 1 } });
  const byDevice = await postern(
    ...['person', 'export', '--project', project.id, '--fingerprint', 'device-9'],
  );
  expect(byDevice.json.validations).toHaveLength(3);
  expect((await postern('person', 'export', '--project', project.id)).code).toBe(2);
});

test('person export has the devices that an inbox no longer lists', async () => {
  const devices = 55;
  for (let index = 0; index < devices; index += 1)
    await project.validate({ email: 'many.devices@gmail.com', fingerprintHash: `one-of-many-${index}` });
  const { json } = await postern(
    ...['person', 'export', '--project', project.id, '--email', 'many.devices@gmail.com'],
  );
  expect(json.sightings).toHaveLength(devices);
});
