import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createCompanyProvider } from './company-provider.ts';

const flow = { state: 's', nonce: 'n', verifier: 'v', challenge: 'c' };
const server = createServer((request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(answers[path] ?? {}));
});
let issuer = '';
let asked: string[] = [];
let answers: Record<string, unknown> = {};
let key: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  key = await generateKeyPair('ES256');
});
beforeEach(async () => {
  asked = [];
  answers = {
    '/.well-known/openid-configuration': document(),
    '/token': { id_token: await idToken() },
    '/jwks': { keys: [{ ...(await exportJWK(key.publicKey)), kid: 'known' }] },
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const document = () => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
});
const idToken = (sub = 'jane') =>
  new SignJWT({ nonce: flow.nonce, sub })
    .setProtectedHeader({ alg: 'ES256', kid: 'known' })
    .setIssuer(issuer)
    .setAudience('postern')
    .setIssuedAt()
    .setExpirationTime('5m')
    .sign(key.privateKey);
const open = () =>
  createCompanyProvider(
    { issuer, clientId: 'postern', clientSecret: 's', scopes: 'openid', proxy: undefined },
    Date.now,
  );
const problemOf = () =>
  open()
    .finish('code', flow, 'http://127.0.0.1/')
    .then(
      ({ sub }) => sub,
      ({ problem }) => problem,
    );

it('asks a provider once, however many people wait for it', async () => {
  const provider = open();
  await Promise.all(Array.from({ length: 10 }, () => provider.begin(flow, 'http://127.0.0.1/')));
  expect(asked).toEqual(['/.well-known/openid-configuration']);
});

it('calls keys and endpoints that it cannot use misconfigured', async () => {
  expect(await problemOf()).toBe('jane');
  const keys = Array.from({ length: 10_000 }, (_, number) => ({
    kty: 'EC',
    kid: `${number}`,
    x: 'x'.repeat(43),
  }));
  for (const broken of [
    { '/jwks': { keys } },
    { '/jwks': { keys: 'none' } },
    { '/jwks': { keys: [{ kty: 'EC', crv: 'P-256', kid: 'known', x: 'short', y: 'short' }] } },
    { '/.well-known/openid-configuration': { ...document(), token_endpoint_auth_methods_supported: 5 } },
    { '/.well-known/openid-configuration': { ...document(), jwks_uri: 'file:///etc/passwd' } },
  ]) {
    const before = answers;
    answers = { ...answers, ...broken };
    expect([Object.keys(broken), await problemOf()]).toEqual([Object.keys(broken), 'misconfigured']);
    answers = before;
  }
});

it('refuses tokens that ask for what it does not know, and subjects that no store keeps', async () => {
  const [, payload, signature] = (await idToken()).split('.');
  const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'known', crit: ['x'], x: 1 }));
  answers['/token'] = { id_token: `${header.toString('base64url')}.${payload}.${signature}` };
  expect(await problemOf()).toBe('invalid');
  for (const subject of ['with\0NUL', 'x'.repeat(256)]) {
    answers['/token'] = { id_token: await idToken(subject) };
    expect(await problemOf()).toBe('invalid');
  }
});
