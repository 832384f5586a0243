// Verdicts of every kind and what a backend must make of them. Some are signed with a key of the trial, which a small proxy in
// front of the service adds to the key set.
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

const EMAIL = 'Jane.Doe@gmail.com';
const TYPE = 'postern-verdict+jwt';
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const TRIAL_KEY = { ...publicKey.export({ format: 'jwk' }), kid: 'trial', alg: 'EdDSA', use: 'sig' };

/**
 * Passes requests on. From the second fetch on, the key set has the trial’s key too, as if the service had a new one. A request
 * with the key `down` gets no answer.
 */
export async function startProxy(serviceUrl) {
  let fetches = 0;
  const answer = async (request, response) => {
    if (request.headers.authorization === 'Bearer down') return request.destroy();
    const { authorization, origin, 'x-project-id': project, 'content-type': type } = request.headers;
    const headers = {
      Authorization: authorization ?? '',
      'X-Project-Id': project ?? '',
      'Content-Type': type ?? '',
      ...(origin !== undefined && { Origin: origin }),
    };
    const body = request.method === 'POST' ? Buffer.concat(await request.toArray()) : undefined;
    const from = await fetch(serviceUrl + request.url, { method: request.method, headers, body });
    let text = await from.text();
    if (request.url === '/.well-known/jwks.json') {
      fetches += 1;
      if (fetches > 1) text = JSON.stringify({ keys: [...JSON.parse(text).keys, TRIAL_KEY] });
    }
    const verdict = from.headers.get('x-postern-verdict');
    response.writeHead(from.status, {
      'Content-Type': 'application/json',
      ...(verdict !== null && { 'X-Postern-Verdict': verdict }),
    });
    response.end(text);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(502).end(String(error)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    keyFetches: () => fetches,
    close: () => server.close(),
  };
}

/** The service’s verdict about an address. */
export async function verdictFor(service, email, project, key) {
  const headers = { Authorization: `Bearer ${key}`, 'X-Project-Id': project.id };
  const body = JSON.stringify({ email });
  const answer = await fetch(`${service.url}/validate`, { method: 'POST', headers, body });
  return answer.headers.get('x-postern-verdict');
}

/** Verdicts with unknown keys. The first may fetch the keys again, the others come too soon for that. */
export const UNKNOWN_KEYS = 5;
export const MOST_KEY_FETCHES = 3;

/** Says that x@mailinator.com may pass, signed with an unknown key. */
export async function forgedVerdict(service, project) {
  const token = await verdictFor(service, 'x@mailinator.com', project, project.serverKey);
  const claims = { ...JSON.parse(Buffer.from(token.split('.')[1], 'base64url')), recommendation: 'allow' };
  return signVerdict(claims, { kid: 'forged' });
}

/** Rows of: what it is, the verdict, the address, what the recipe must print. */
export async function casesOf(service, project, testKey) {
  const good = await verdictFor(service, EMAIL, project, project.serverKey);
  const second = await verdictFor(service, EMAIL, project, project.serverKey);
  const blocked = await verdictFor(service, 'x@mailinator.com', project, project.serverKey);
  const other = await service.makeProject();
  const foreign = await verdictFor(service, EMAIL, other, other.serverKey);
  const test = await verdictFor(service, EMAIL, project, testKey);
  const forged = second.replace(/\.([^.])/, (_, first) => `.${first === 'e' ? 'f' : 'e'}`);
  const [, claims, signature] = second.split('.');
  const unknown = Array.from({ length: UNKNOWN_KEYS }, (_, index) => [
    'a verdict with an unknown key',
    signVerdict(JSON.parse(Buffer.from(claims, 'base64url')), { kid: `unknown-${index}` }),
    EMAIL,
    'none',
  ]);
  return [
    ...unknown,
    ['a good verdict', good, EMAIL, 'allow'],
    ['a verdict that was used before', good, EMAIL, 'none'],
    ['a verdict for another address', second, 'john.doe@gmail.com', 'none'],
    ['a forged verdict', forged, EMAIL, 'none'],
    ['a verdict with another signature', second.replace(/.{8}$/, 'AAAAAAAA'), EMAIL, 'none'],
    ['a verdict with a cut signature', second.slice(0, -8), EMAIL, 'none'],
    [
      'a verdict with alg none',
      `${encode({ alg: 'none', typ: TYPE })}.${claims}.${signature}`,
      EMAIL,
      'none',
    ],
    ['another project’s verdict', foreign, EMAIL, 'none'],
    ['a test key’s verdict', test, EMAIL, 'none'],
    ['text that is no verdict', 'a.b.c', EMAIL, 'none'],
    ['a verdict that blocks', blocked, 'x@mailinator.com', 'block'],
    ...signedCases(JSON.parse(Buffer.from(claims, 'base64url'))),
  ];
}

/** Cases that the service never signs. The first must be right, or the others could be refused for their unknown key. */
function signedCases(claims) {
  const now = Math.floor(Date.now() / 1000);
  const kinds = [
    ['a verdict with a new key', {}, 'allow'],
    ['a clock that is 15 seconds ahead', { iat: now + 15, exp: now + 315 }, 'allow'],
    ['an expiry 3 seconds ago', { iat: now - 303, exp: now - 3 }, 'allow'],
    ['a verdict that expired', { iat: now - 600, exp: now - 300 }, 'none'],
    ['a verdict from the future', { iat: now + 300, exp: now + 600 }, 'none'],
    ['a verdict without an expiry', { exp: undefined }, 'none'],
    ['another issuer', { iss: 'somebody' }, 'none'],
    ['a weakened verdict', { weakened: true }, 'none'],
  ];
  const signed = kinds.map(([what, changes, outcome], index) => [
    what,
    signVerdict({ ...claims, jti: `trial-${now}-${index}`, ...changes }),
    EMAIL,
    outcome,
  ]);
  const otherType = signVerdict({ ...claims, jti: `trial-${now}-type` }, { typ: 'JWT' });
  return [...signed, ['a token of another type', otherType, EMAIL, 'none']];
}

function signVerdict(claims, header = {}) {
  const text = `${encode({ alg: 'EdDSA', typ: TYPE, kid: TRIAL_KEY.kid, ...header })}.${encode(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

function encode(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
