import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../service/test/support/service.ts';
import { type Postern, posternOn } from './support/postern.ts';

let service: TestService;
let postern: Postern;
beforeAll(async () => {
  service = await startService();
  postern = posternOn({
    POSTERN_DATA_DIR: service.dataDir,
    POSTERN_DNS_SERVERS: service.dns.address,
    POSTERN_PORT: String(service.port),
    POSTERN_FEEDS: 'off',
  });
});
afterAll(() => service.close());

const validate = (project: string, key: string, headers: Record<string, string> = {}) =>
  service.ask({
    method: 'POST',
    path: '/validate',
    headers: { authorization: `Bearer ${key}`, 'x-project-id': project, ...headers },
    body: '{"email":"jane.doe@gmail.com"}',
  });

test('a key created while the service runs works immediately; after regenerate or revoke it is refused immediately', async () => {
  const { json: project } = await postern('project', 'create', '--name', 'Live', '--json');
  const { json: key } = await postern('key', 'create', '--project', project.id, '--type', 'server', '--json');
  expect((await validate(project.id, key.key)).status).toBe(200);

  const { json: again } = await postern('key', 'regenerate', key.id, '--json');
  expect((await validate(project.id, key.key)).status).toBe(401);
  expect((await validate(project.id, again.key)).status).toBe(200);

  await postern('key', 'revoke', key.id);
  expect((await validate(project.id, again.key)).status).toBe(401);

  const { json: list } = await postern('project', 'list', '--json');
  expect(list.find((row: { id: string }) => row.id === project.id)).toMatchObject({ quotaUsed: 2 });
});

test('a change of the project applies from the next request on', async () => {
  const { json: project } = await postern('project', 'create', '--name', 'Changing', '--json');
  const { json: key } = await postern('key', 'create', '--project', project.id, '--type', 'client', '--json');
  const page = { origin: 'https://new.example' };
  expect((await validate(project.id, key.key, page)).status).toBe(403);
  await postern('project', 'update', project.id, '--add-domain', 'new.example');
  expect((await validate(project.id, key.key, page)).status).toBe(200);
  await postern('project', 'update', project.id, '--quota', '1');
  expect((await validate(project.id, key.key, page)).status).toBe(402);
  await postern('project', 'update', project.id, '--archive');
  expect((await validate(project.id, key.key, page)).status).toBe(403);
});

test('doctor finds the running service and working DNS', async () => {
  const { code, json } = await postern('doctor', '--json');
  const states = Object.fromEntries(
    json.parts.map(({ part, state, says }: Record<string, string>) => [part, [state, says]]),
  );
  expect(code).toBe(0);
  expect(json.healthy).toBe(true);
  expect(states).toMatchObject({
    store: ['ok', expect.stringContaining('postern.db')],
    dns: ['ok', 'works'],
  });
});

test('a revoked signing key is no longer published, and the new one signs immediately', async () => {
  const { json: project } = await postern('project', 'create', '--name', 'Signed', '--json');
  const { json: key } = await postern('key', 'create', '--project', project.id, '--type', 'server', '--json');
  const published = async (): Promise<string[]> => {
    const { json } = await service.ask({ path: '/.well-known/jwks.json' });
    return json.keys.map(({ kid }: { kid: string }) => kid);
  };
  const signedWith = async () => {
    const verdict =
      (await validate(project.id, key.key, { prefer: 'verdict' })).headers['x-postern-verdict'] ?? '';
    return JSON.parse(Buffer.from(verdict.split('.')[0] ?? '', 'base64url').toString()).kid;
  };
  const old = await published();
  expect(old).toEqual([await signedWith()]);
  const { json: revoked } = await postern('signing-key', 'rotate', '--revoke', '--json');
  expect(revoked.revoked).toEqual(old);
  await expect.poll(published).toEqual([revoked.kid]);
  expect(await signedWith()).toBe(revoked.kid);

  const { out } = await postern('signing-key', 'rotate');
  expect(out).toMatch(/published now and signs verdicts in six minutes/);
  await expect.poll(published).toHaveLength(2);
  expect(await signedWith()).toBe(revoked.kid);
});
