import { createPublicKey, hash, verify } from 'node:crypto';
import { DEFAULT_ACTIONS, type VerdictClaims, type VerdictKeySet } from '@postern/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateProject } from '../src/operations/change-project.ts';
import { startService, type TestProject, type TestService } from './support/service.ts';

let service: TestService;
let project: TestProject;

beforeAll(async () => {
  service = await startService();
  project = await service.makeProject();
});
afterAll(() => service.close());

async function open(
  token: string,
): Promise<{ valid: boolean; header: { alg: string; kid: string; typ: string }; claims: VerdictClaims }> {
  const { keys } = (await service.ask({ path: '/.well-known/jwks.json' })).json as VerdictKeySet;
  const [head = '', payload = '', signature = ''] = token.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const key = keys.find(({ kid }) => kid === header.kid);
  if (key === undefined) throw new Error('no such key');
  const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
  const valid = verify(
    null,
    Buffer.from(`${head}.${payload}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  return { valid, header, claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) };
}

/** A backend that hands the verdict on asks for it. */
const SIGNED = { prefer: 'respond-async, Verdict; a=1' };

describe('the signed verdict', () => {
  it('is for pages, and for backends that ask for it', async () => {
    const body = { email: 'jane.doe@gmail.com' };
    const signed = async (answer: Promise<{ headers: Record<string, string | undefined> }>) =>
      (await answer).headers['x-postern-verdict'] !== undefined;
    expect(await signed(project.validateFromPage(body))).toBe(true);
    expect(await signed(project.validate(body))).toBe(false);
    expect(await signed(project.validate(body, SIGNED))).toBe(true);
    expect(await signed(project.validate(body, { prefer: 'verdicts, return=minimal' }))).toBe(false);
  });

  it('says the same as the body, and its signature is valid', async () => {
    const answer = await project.validate(
      { email: ' Admin@Mail-House.NET ' },
      { 'x-request-id': 'req-1', ...SIGNED },
    );
    const { valid, header, claims } = await open(answer.headers['x-postern-verdict'] ?? '');
    expect(valid).toBe(true);
    expect(header).toMatchObject({ alg: 'EdDSA', typ: 'postern-verdict+jwt' });
    expect(claims).toMatchObject({
      iss: 'postern',
      aud: project.id,
      sub: hash('sha256', 'admin@mail-house.net', 'base64url'),
      requestId: 'req-1',
      recommendation: answer.json.recommendation,
      signals: answer.json.signals,
      mode: 'live',
      checks: Object.keys(answer.json.checks),
    });
    expect(claims.jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(claims.exp - claims.iat).toBe(600);
    expect(Math.abs(claims.iat - Date.now() / 1000)).toBeLessThan(60);
  });

  it('has a unique ID for each answer, whatever ID the caller sends', async () => {
    const ask = async () => {
      const answer = await project.validate(
        { email: 'a@mail-house.net' },
        { 'x-request-id': 'same', ...SIGNED },
      );
      return (await open(answer.headers['x-postern-verdict'] ?? '')).claims;
    };
    const [one, two] = [await ask(), await ask()];
    expect([one.requestId, two.requestId]).toEqual(['same', 'same']);
    expect(one.jti).not.toBe(two.jti);
  });

  it('names the checks that ran, and those of the policy that had no input', async () => {
    const claimsOf = async (body: object) =>
      (await open((await project.validate(body, SIGNED)).headers['x-postern-verdict'] ?? '')).claims;
    const email = 'a@mail-house.net';
    const bare = await claimsOf({ email });
    expect(bare.checks).toEqual(['syntax', 'disposable', 'mx', 'roleEmail', 'alias']);
    expect(bare.without).toEqual(['device', 'ip']);
    const full = await claimsOf({ email, fingerprint: 'f', ip: '192.0.2.1' });
    expect(full.checks).toEqual(['syntax', 'disposable', 'mx', 'roleEmail', 'alias', 'device', 'ip']);
    expect(full).not.toHaveProperty('without');
    const named = await claimsOf({ email, validations: { syntax: 'block' } });
    expect(named).toMatchObject({ checks: ['syntax'], weakened: true, without: ['device', 'ip'] });
  });

  it('does not contain the address', async () => {
    const answer = await project.validate({ email: 'secret.person@gmail.com' }, SIGNED);
    const { claims } = await open(answer.headers['x-postern-verdict'] ?? '');
    expect(JSON.stringify(claims)).not.toContain('secret');
  });

  it('says if the page asked for less than the policy has', async () => {
    const weakened = async (validations: object) => {
      const answer = await project.validateFromPage({ email: 'x@mailinator.com', validations });
      return (await open(answer.headers['x-postern-verdict'] ?? '')).claims.weakened;
    };
    expect(await weakened({ syntax: 'block' })).toBe(true);
    expect(await weakened({})).toBeUndefined();
  });

  it('is not on errors', async () => {
    expect((await project.validate('nonsense', SIGNED)).headers['x-postern-verdict']).toBeUndefined();
  });

  it('the key set has only public keys', async () => {
    const { keys } = (await service.ask({ path: '/.well-known/jwks.json' })).json as VerdictKeySet;
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  });
});

it('counts as weakened when a check that the policy blocks on had no input', async () => {
  const actions = { ...DEFAULT_ACTIONS, device: 'block' as const };
  const strict = await service.makeProject();
  await service.admin((admin) => updateProject(admin, strict.id, { policy: { actions } }));
  const claimsOf = async (body: object) =>
    (await open((await strict.validate(body, SIGNED)).headers['x-postern-verdict'] ?? '')).claims;
  expect(await claimsOf({ email: 'jane.doe@gmail.com', ip: '8.8.8.8' })).toMatchObject({
    weakened: true,
    without: ['device'],
  });
  const whole = await claimsOf({ email: 'jane.doe@gmail.com', ip: '8.8.8.8', fingerprintHash: 'abc' });
  expect(whole.weakened).toBeUndefined();
});
