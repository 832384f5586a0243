import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { HOOK_FORMAT_NAMES, type HookFormat } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createProject, deleteProject, updateProject } from '../dist/operations/change-project.js';
import { hookOperations } from '../dist/operations/hooks.js';
import { operationsOf } from '../dist/operations/run-operation.js';
import { startService, type TestProject, type TestService } from './support/service.ts';
import { createHook, readAs, rotateHook, standIn } from './support/sign-in-servers.ts';

const MINUTE_MS = 60_000;
const WITHOUT_ADDRESS: Readonly<Record<HookFormat, string>> = {
  supabase: 'user.email is required',
  kratos: 'email is required',
  workos: 'user_data.email is required',
  okta: 'data.userProfile.email is required',
  zitadel: 'request.email.email is required',
  fusionauth: 'event.user.email is required',
  generic: 'email is required',
};

let service: TestService;
let project: TestProject;
beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

const used = ({ id }: TestProject) =>
  service.admin(({ store }) => store.projects.usage(id, new Date().toISOString().slice(0, 7)));
const logOf = ({ id }: TestProject) => service.admin(({ store }) => store.log.page(id, {}, 10, null));

describe.each(HOOK_FORMAT_NAMES)('a hook of the format %s', (format) => {
  it('lets an ordinary person in and refuses a throwaway address with a sentence', async () => {
    const own = await service.makeProject();
    const server = await standIn(service, own.id, format);
    const good = await server.signUp({ email: 'Jane.Doe@gmail.com' });
    expect(readAs(format, good)).toEqual({ allowed: true });
    const bad = await server.signUp({ email: 'jane@mailinator.com' });
    expect(readAs(format, bad)).toEqual({
      allowed: false,
      text: 'Please use a permanent email address.',
    });
    expect(await used(own)).toBe(2);
  });

  it('is counted and logged as a server key’s request, with the hook as its key', async () => {
    const own = await service.makeProject();
    const server = await standIn(service, own.id, format);
    await server.signUp({ email: 'jane@mailinator.com', ip: '203.0.113.7', userAgent: 'Mozilla/5.0' });
    const { rows } = await logOf(own);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      keyId: server.hook.id,
      keyType: 'server',
      mode: 'live',
      recommendation: 'block',
      facts: { event: 'sign_up' },
      maskedIp: format === 'zitadel' ? null : '203.0.113.0/24',
    });
  });

  it('answers 401 to a wrong secret, an old time and no proof, and counts nothing', async () => {
    const own = await service.makeProject();
    const server = await standIn(service, own.id, format);
    const wrong = server.sent({ email: 'jane@gmail.com' }, Date.now(), `v1,whsec_${'A'.repeat(43)}=`);
    const answer = await server.deliver(wrong);
    expect([answer.status, answer.json]).toEqual([401, { error: 'Invalid signature' }]);
    const { body } = wrong;
    expect((await server.deliver({ body, headers: {} })).status).toBe(401);
    if (!['kratos', 'okta', 'fusionauth'].includes(format)) {
      for (const at of [-6, 6].map((minutes) => Date.now() + minutes * MINUTE_MS))
        expect((await server.deliver(server.sent({ email: 'jane@gmail.com' }, at))).status).toBe(401);
      const { headers } = server.sent({ email: 'jane@gmail.com' });
      expect((await server.deliver({ headers, body: `${body} ` })).status).toBe(401);
    }
    expect([await used(own), (await logOf(own)).rows]).toEqual([0, []]);
  });

  it('names what a body lacks, and counts nothing', async () => {
    const own = await service.makeProject();
    const server = await standIn(service, own.id, format);
    const answer = await server.signUp({});
    expect([answer.status, answer.json]).toEqual([400, { error: WITHOUT_ADDRESS[format] }]);
    expect(await used(own)).toBe(0);
  });

  it('takes both secrets after a rotation, and a deleted hook is gone at once', async () => {
    const server = await standIn(service, project.id, format);
    const { id } = server.hook;
    expect(readAs(format, await server.signUp({ email: 'a@gmail.com' }))).not.toBe('broken');
    const { secret } = await rotateHook(service, server.hook);
    for (const each of [secret, server.hook.secret]) {
      const sent = server.sent({ email: 'jane.doe@gmail.com' }, Date.now(), each);
      expect(readAs(format, await server.deliver(sent))).toEqual({ allowed: true });
    }
    await service.admin((admin) =>
      operationsOf(hookOperations, admin)('DELETE /projects/:id/hooks/:hookId', {
        id: project.id,
        hookId: id,
      }),
    );
    expect((await server.signUp({ email: 'jane.doe@gmail.com' })).status).toBe(404);
    const [key] = await service
      .admin(({ store }) => store.keys.list(project.id))
      .then((keys) => keys.filter((each) => each.id === id));
    expect(key?.hook?.secrets).toEqual([]);
  });
});

it('secrets that only have to be recognised are kept as hashes, those that sign as they are', async () => {
  const kept = async (format: HookFormat) => {
    const { id, secret } = await createHook(service, project.id, format);
    const key = await service.admin(({ store }) => store.keys.find(id));
    return key?.hook?.secrets[0]?.kept === secret;
  };
  const readable = [];
  for (const format of HOOK_FORMAT_NAMES) if (await kept(format)) readable.push(format);
  expect(readable).toEqual(['supabase', 'workos', 'zitadel', 'generic']);
});

it('WorkOS can verify the answer', async () => {
  const server = await standIn(service, project.id, 'workos');
  const { json } = await server.signUp({ email: 'jane@mailinator.com' });
  const text = `${json.payload.timestamp}.${JSON.stringify(json.payload)}`;
  expect(json.signature).toBe(createHmac('sha256', server.hook.secret).update(text).digest('hex'));
});

it('a call with an ID is answered once', async () => {
  const own = await service.makeProject();
  for (const format of ['supabase', 'generic'] as const) {
    const server = await standIn(service, own.id, format);
    const sent = server.sent({ email: 'jane.doe@gmail.com' });
    expect((await server.deliver(sent)).status).toBe(200);
    const again = await server.deliver(sent);
    expect([again.status, again.json.error]).toEqual([401, 'This call was answered before']);
  }
  expect(await used(own)).toBe(2);
});

it('answers 404 to an unknown format, an unknown hook, another format’s hook and a deleted project’s', async () => {
  const server = await standIn(service, project.id, 'generic');
  const { body, headers } = server.sent({ email: 'jane.doe@gmail.com' });
  const { id } = server.hook;
  for (const path of [
    `/v1/hooks/nobody/${id}`,
    '/v1/hooks/generic/hook_none',
    `/v1/hooks/supabase/${id}`,
    '/v1/hooks/constructor/x',
  ])
    expect([path, (await service.ask({ method: 'POST', path, headers, body })).status]).toEqual([path, 404]);
  const gone = await service.makeProject();
  const theirs = await standIn(service, gone.id, 'generic');
  expect((await theirs.signUp({ email: 'jane.doe@gmail.com' })).status).toBe(200);
  await service.admin((admin) => updateProject(admin, gone.id, { archived: true }));
  expect((await theirs.signUp({ email: 'jane.doe@gmail.com' })).status).toBe(404);
  await service.admin((admin) => deleteProject(admin as Parameters<typeof deleteProject>[0], gone.id));
  expect((await theirs.signUp({ email: 'jane.doe@gmail.com' })).status).toBe(404);
});

it('a hook’s ID is no API key, and an API key is no hook', async () => {
  const server = await standIn(service, project.id, 'kratos');
  const { id } = server.hook;
  await server.signUp({ email: 'jane.doe@gmail.com' });
  for (const authorization of [`Bearer ${id}`, `Bearer hook:${id}`, `Bearer ${server.hook.secret}`])
    expect((await project.validate({ email: 'jane.doe@gmail.com' }, { authorization })).status).toBe(401);
  const path = `/v1/hooks/kratos/${project.serverKeyId}`;
  const headers = { authorization: `Bearer ${project.serverKey}` };
  expect((await service.ask({ method: 'POST', path, headers, body: '{}' })).status).toBe(404);
});

it('a body over 64 KiB is 413, one that never ends is cut, and other methods are refused', async () => {
  const server = await standIn(service, project.id, 'supabase');
  const large = server.sent({ email: 'jane.doe@gmail.com', more: { long: 'x'.repeat(64 * 1024) } });
  const answer = await server.deliver(large);
  expect([answer.status, answer.json.error]).toEqual([413, 'Request body exceeds 64 KiB']);
  const roomy = { email: 'jane.doe@gmail.com', more: { long: 'x'.repeat(40 * 1024) } };
  expect(readAs('supabase', await server.signUp(roomy))).toEqual({ allowed: true });
  expect((await service.ask({ path: server.hook.url })).status).toBe(405);
  const cut = await new Promise<string>((resolve, reject) => {
    const socket = connect(service.port, '127.0.0.1', () => {
      socket.write(`POST ${server.hook.url} HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n{`);
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
  expect(cut).toMatch(/^HTTP\/1.1 408 .*"error":"Request took too long to arrive"/s);
});

it('people without an address are let in without being judged', async () => {
  const own = await service.makeProject();
  const cases = [
    ['supabase', { email: '', more: { phone: '4915112345678' } }],
    ['okta', { more: { userProfileUpdate: { nickName: 'J' } } }],
    ['zitadel', { more: { machine: { name: 'robot' } } }],
    ['fusionauth', { more: { username: 'jane' } }],
  ] as const;
  for (const [format, signUp] of cases) {
    const server = await standIn(service, own.id, format);
    expect([format, readAs(format, await server.signUp(signUp))]).toEqual([format, { allowed: true }]);
  }
  expect(await used(own)).toBe(0);
});

it('what is no address is refused with a sentence, not as an error', async () => {
  const server = await standIn(service, project.id, 'supabase');
  expect(readAs('supabase', await server.signUp({ email: 'not an address' }))).toEqual({
    allowed: false,
    text: expect.stringMatching(/address/),
  });
});

it('a member can bring the secret that the sign-in server made', async () => {
  const server = await standIn(service, project.id, 'zitadel');
  const secret = 'the-signing-key-that-zitadel-showed';
  await rotateHook(service, server.hook, secret);
  const sent = server.sent({ email: 'jane.doe@gmail.com' }, Date.now(), secret);
  expect(readAs('zitadel', await server.deliver(sent))).toEqual({ allowed: true });
  const bad = rotateHook(service, server.hook, 'short');
  await expect(bad).rejects.toThrow('A secret has 16 to 512 visible ASCII characters.');
});

describe('a verdict that the page passed along', () => {
  const page = {
    'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/140.0',
    'x-forwarded-for': '203.0.113.9',
  };

  it.each(['supabase', 'kratos', 'zitadel', 'fusionauth', 'generic'] as const)(
    '%s: device and address of the page count',
    async (format) => {
      const own = await service.makeProject();
      const server = await standIn(service, own.id, format);
      const email = 'jane.doe@gmail.com';
      const asked = await own.validateFromPage({ email, fingerprintHash: 'device-1' }, page);
      const verdict = asked.headers['x-postern-verdict'] ?? '';
      expect(readAs(format, await server.signUp({ email, verdict, ip: '198.51.100.1' }))).toEqual({
        allowed: true,
      });
      const { rows } = await logOf(own);
      const [hooked, paged] = rows;
      expect(hooked?.keyId).toBe(server.hook.id);
      expect(hooked?.deviceHash).toBe(paged?.deviceHash);
      expect(hooked?.maskedIp).toBe('203.0.113.0/24');
    },
  );

  it('of another address, another project or another signer does not count', async () => {
    const own = await service.makeProject();
    const server = await standIn(service, own.id, 'supabase');
    const email = 'jane.doe@gmail.com';
    const verdictOf = async (of: TestProject, address: string) =>
      (await of.validateFromPage({ email: address, fingerprintHash: 'device-1' }, page)).headers[
        'x-postern-verdict'
      ] ?? '';
    const good = await verdictOf(own, email);
    const [header, payload, signature = ''] = good.split('.');
    const forged = `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    for (const verdict of [
      await verdictOf(own, 'other@gmail.com'),
      await verdictOf(project, email),
      forged,
      'x',
      '',
    ])
      await server.signUp({ email, verdict });
    const { rows } = await logOf(own);
    const hooked = rows.filter(({ keyId }) => keyId === server.hook.id);
    expect(hooked.map(({ deviceHash }) => deviceHash)).toEqual(Array(5).fill(null));
  });

  it('shows nobody the page’s address or device', async () => {
    const asked = await project.validateFromPage(
      { email: 'jane.doe@gmail.com', fingerprintHash: 'device-1' },
      page,
    );
    const [, payload = ''] = (asked.headers['x-postern-verdict'] ?? '').split('.');
    const claims = Buffer.from(payload, 'base64url').toString();
    expect(JSON.parse(claims)).toMatchObject({ event: 'sign_up', page: expect.any(String) });
    expect(claims).not.toMatch(/203\.0\.113|device-1|Mozilla/);
    const backend = await project.validate({ email: 'jane.doe@gmail.com' }, { prefer: 'verdict' });
    const [, plain = ''] = (backend.headers['x-postern-verdict'] ?? '').split('.');
    expect(JSON.parse(Buffer.from(plain, 'base64url').toString())).not.toHaveProperty('page');
  });
});

it('export and import keep hooks', async () => {
  const own = await service.admin((admin) =>
    createProject(admin, { id: 'moved', name: 'Moved', allowedDomains: [] }),
  );
  const hook = await createHook(service, own.id, 'generic');
  const rows = await service.admin(async ({ store }) => {
    const found = [];
    for await (const row of (
      store as unknown as {
        dump: (part: object) => AsyncIterable<{ table: string; row: Record<string, unknown> }>;
      }
    ).dump({ project: own.id }))
      found.push(row);
    return found;
  });
  const keys = rows.filter(({ table }) => table === 'api_key');
  expect(keys.map(({ row }) => [row.id, JSON.parse(String(row.hook)).format])).toEqual([
    [hook.id, 'generic'],
  ]);
});
