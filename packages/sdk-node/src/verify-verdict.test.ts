import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allowed, type StubService, startStubService } from '../../sdk/test/support/stub-service.ts';
import { memoryReplayStore } from './replay-store.ts';
import { createVerdictVerifier, type VerdictVerifierOptions } from './verify-verdict.ts';

let service: StubService;
beforeEach(async () => {
  service = await startStubService(() => allowed());
});
afterEach(() => service.close());

const email = 'jane@example.com';
const verifier = (options: Partial<VerdictVerifierOptions> = {}) =>
  createVerdictVerifier({ baseUrl: `${service.url}/`, projectId: 'demo', ...options });
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8')) as Record<string, unknown>;

describe('a valid verdict', () => {
  it('is accepted for any spelling of the same address', async () => {
    const { verifyVerdict } = verifier();
    for (const spelling of [email, ' Jane@EXAMPLE.com ']) {
      const result = await verifyVerdict(service.signVerdict({ email, recommendation: 'flag' }), {
        email: spelling,
      });
      expect(result).toMatchObject({ ok: true, claims: { aud: 'demo', recommendation: 'flag' } });
    }
    expect(service.jwksFetches).toBe(1);
  });

  it('is accepted offline with pinned keys', async () => {
    const keys = await fetch(`${service.url}/.well-known/jwks.json`).then((response) => response.json());
    const token = service.signVerdict({ email });
    await service.close();
    expect(await verifier({ keys: keys as never }).verifyVerdict(token, { email })).toMatchObject({
      ok: true,
    });
  });
});

describe('a verdict is refused', () => {
  const now = Math.floor(Date.now() / 1000);
  it.each([
    ['wrong_project', { aud: 'other' }],
    ['wrong_address', { email: 'somebody@example.com' }],
    ['expired', { iat: now - 700, exp: now - 100 }],
    ['not_yet_valid', { iat: now + 100, exp: now + 700 }],
    ['test_mode', { mode: 'test' as const }],
    ['weakened', { weakened: true as const }],
    ['malformed', { iss: 'evil' as never }],
    ['malformed', { exp: 'never' as never }],
    ['malformed', { recommendation: 'maybe' as never }],
  ])('as %s: %j', async (reason, claims) => {
    const token = service.signVerdict({ email, ...claims });
    expect(await verifier().verifyVerdict(token, { email })).toEqual({ ok: false, reason });
  });

  it.each([
    ['unsupported', { alg: 'none' }],
    ['unsupported', { alg: 'HS256' }],
    ['unsupported', { typ: 'JWT' }],
    ['unsupported', { crit: ['exp'] }],
    ['malformed', { kid: 7 }],
    ['unknown_key', { kid: 'somebody-else' }],
  ])('as %s: header %j', async (reason, header) => {
    const token = service.signVerdict({ email }, header);
    expect(await verifier().verifyVerdict(token, { email })).toEqual({ ok: false, reason });
  });

  it.each([undefined, null, 7, '', 'a', 'a.b', 'a.b.c', '..', 'a.b.c.d', `${'x'.repeat(9000)}.a.b`])(
    'as malformed: %j',
    async (token) => {
      expect(await verifier().verifyVerdict(token, { email })).toEqual({ ok: false, reason: 'malformed' });
    },
  );

  it('for something that is not an address', async () => {
    const token = service.signVerdict({ email });
    // The service refuses a domain with a soft hyphen; a mail server would drop it.
    for (const odd of [undefined, null, 7, {}, email.replace('.', '\u00ad.')]) {
      const result = await verifier().verifyVerdict(token, { email: odd });
      expect(result).toEqual({ ok: false, reason: 'wrong_address' });
    }
  });

  it('if its claims were changed after it was signed', async () => {
    const token = service.signVerdict({ email, recommendation: 'block' });
    const [header, payload, signature] = token.split('.');
    const forged = `${header}.${encode({ ...decode(payload), recommendation: 'allow' })}.${signature}`;
    expect(await verifier().verifyVerdict(forged, { email })).toEqual({ ok: false, reason: 'bad_signature' });
  });

  it('if somebody else signed it with the service’s key ID', async () => {
    const [header, payload] = service.signVerdict({ email }).split('.');
    const { privateKey } = generateKeyPairSync('ed25519');
    const forged = `${header}.${payload}.${sign(null, Buffer.from(`${header}.${payload}`), privateKey).toString('base64url')}`;
    expect(await verifier().verifyVerdict(forged, { email })).toEqual({ ok: false, reason: 'bad_signature' });
  });

  it('if the public key was used as a shared secret', async () => {
    const [header, payload] = service.signVerdict({ email }).split('.');
    const mac = createHmac('sha256', 'public').update(`${header}.${payload}`).digest();
    const forged = `${header}.${payload}.${Buffer.concat([mac, mac]).toString('base64url')}`;
    expect(await verifier().verifyVerdict(forged, { email })).toEqual({ ok: false, reason: 'bad_signature' });
  });

  it('the second time, but not after a failed attempt', async () => {
    const { verifyVerdict } = verifier();
    const token = service.signVerdict({ email });
    expect(await verifyVerdict(token, { email: 'other@example.com' })).toMatchObject({
      reason: 'wrong_address',
    });
    expect(await verifyVerdict(token, { email })).toMatchObject({ ok: true });
    expect(await verifyVerdict(token, { email })).toEqual({ ok: false, reason: 'replayed' });
  });

  it('by every process that shares a replay store', async () => {
    const replayStore = memoryReplayStore();
    const token = service.signVerdict({ email });
    expect(await verifier({ replayStore }).verifyVerdict(token, { email })).toMatchObject({ ok: true });
    expect(await verifier({ replayStore }).verifyVerdict(token, { email })).toMatchObject({
      reason: 'replayed',
    });
  });
});

describe('clocks and modes', () => {
  const now = Math.floor(Date.now() / 1000);

  it('the clocks may differ by half a minute', async () => {
    const { verifyVerdict } = verifier();
    for (const claims of [{ iat: now + 20 }, { exp: now - 20 }]) {
      expect(await verifyVerdict(service.signVerdict({ email, ...claims }), { email })).toMatchObject({
        ok: true,
      });
    }
    const strict = verifier({ clockSkewSeconds: 0 });
    const token = service.signVerdict({ email, exp: now - 20 });
    expect(await strict.verifyVerdict(token, { email })).toMatchObject({ reason: 'expired' });
  });

  it('a verdict for checks that the page chose is accepted only if configured', async () => {
    const token = service.signVerdict({ email, weakened: true });
    const { verifyVerdict } = verifier({ allowWeakened: true });
    expect(await verifyVerdict(token, { email })).toMatchObject({ ok: true });
  });

  it('a sandbox verdict is accepted only if configured', async () => {
    const token = service.signVerdict({ email, mode: 'test' });
    const { verifyVerdict } = verifier({ allowTestMode: true });
    expect(await verifyVerdict(token, { email })).toMatchObject({ ok: true, claims: { mode: 'test' } });
  });
});

describe('rotation', () => {
  it('fetches the keys again for an unknown ID, but not too often', async () => {
    let nowMs = Date.now();
    const { verifyVerdict } = verifier({ now: () => nowMs });
    await verifyVerdict(service.signVerdict({ email }), { email });
    service.rotate();
    const token = service.signVerdict({ email });
    expect(await verifyVerdict(token, { email })).toMatchObject({ reason: 'unknown_key' });
    expect(service.jwksFetches).toBe(1);
    nowMs += 30_000;
    expect(await verifyVerdict(token, { email })).toMatchObject({ ok: true });
    for (let index = 0; index < 20; index += 1) {
      await verifyVerdict(service.signVerdict({ email }, { kid: `invented-${index}` }), { email });
    }
    expect(service.jwksFetches).toBe(2);
  });

  it('concurrent callers share one fetch', async () => {
    const { verifyVerdict } = verifier();
    const tokens = Array.from({ length: 10 }, () => service.signVerdict({ email }));
    const results = await Promise.all(tokens.map((token) => verifyVerdict(token, { email })));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(service.jwksFetches).toBe(1);
  });

  it('drops a key that the service withdrew', async () => {
    let nowMs = Date.now();
    const { verifyVerdict } = verifier({ now: () => nowMs });
    const stolen = service.signVerdict({ email, exp: Math.floor(nowMs / 1000) + 3600 });
    const another = service.signVerdict({ email, exp: Math.floor(nowMs / 1000) + 3600 });
    expect(await verifyVerdict(stolen, { email })).toMatchObject({ ok: true });
    service.rotate({ dropOld: true });
    nowMs += 601_000;
    expect(await verifyVerdict(another, { email })).toMatchObject({ reason: 'unknown_key' });
  });

  it('accepts known keys while the service is down', async () => {
    let nowMs = Date.now();
    const { verifyVerdict } = verifier({ now: () => nowMs });
    const exp = Math.floor(nowMs / 1000) + 3600;
    await verifyVerdict(service.signVerdict({ email, exp }), { email });
    const token = service.signVerdict({ email, exp });
    await service.close();
    nowMs += 601_000;
    expect(await verifyVerdict(token, { email })).toMatchObject({ ok: true });
  });

  const huge = `{"keys":[]${' '.repeat(65_536)}}`;
  it.each(['<html>', '{}', '{"keys":[]}', '{"keys":[null]}', '{"keys":"x"}', huge])(
    'ignores %.20s as a key set, and keeps the keys it has',
    async (page) => {
      let nowMs = Date.now();
      let text: string | null = page;
      const { verifyVerdict } = verifier({
        now: () => nowMs,
        fetch: async (url) =>
          text === null ? fetch(url) : { status: 200, headers: new Headers(), text: async () => text ?? '' },
      });
      const exp = Math.floor(nowMs / 1000) + 3600;
      const token = service.signVerdict({ email, exp });
      expect(await verifyVerdict(token, { email })).toEqual({ ok: false, reason: 'keys_unreachable' });
      text = null;
      nowMs += 10_000;
      expect(await verifyVerdict(token, { email })).toMatchObject({ ok: true });
      text = page;
      nowMs += 601_000;
      expect(await verifyVerdict(service.signVerdict({ email, exp }), { email })).toMatchObject({ ok: true });
    },
  );

  it('reports that it could not verify if it never had a key', async () => {
    const token = service.signVerdict({ email });
    await service.close();
    const { verifyVerdict } = verifier();
    expect(await verifyVerdict(token, { email })).toEqual({ ok: false, reason: 'keys_unreachable' });
    expect(await verifyVerdict(token, { email })).toEqual({ ok: false, reason: 'keys_unreachable' });
  });
});

it('a verifier without a project throws with the first verdict, and with a wrong URL at once', async () => {
  const { verifyVerdict } = verifier({ projectId: '' });
  await expect(verifyVerdict('x', { email: 'a@b.co' })).rejects.toThrow('POSTERN_PROJECT_ID');
  expect(() => verifier({ baseUrl: 'postern.example.com' })).toThrow('baseUrl');
});

it('the replay store drops expired entries and never exceeds its limit', async () => {
  let nowMs = 0;
  const store = memoryReplayStore(3, () => nowMs);
  expect([store.claim('a', 10), store.claim('b', 10), store.claim('a', 10)]).toEqual([true, true, false]);
  nowMs = 11;
  expect(store.claim('a', 20)).toBe(true);
  expect([store.claim('c', 20), store.claim('d', 20), store.claim('e', 20)]).toEqual([true, true, true]);
  expect(store.claim('e', 20)).toBe(false);
  expect(store.claim('a', 20)).toBe(true);
});
