import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from './support/free-port.ts';
import { startService, type TestProject, type TestService, updateProject } from './support/service.ts';

const PERSON = { email: 'jane.doe@gmail.com' };

/** An operator of agents: its keys, its directory, and how it signs. */
interface Operator {
  readonly origin: string;
  readonly host: string;
  readonly asked: () => number;
  readonly server: Server;
  readonly jwk: { kty: string; crv: string; x: string };
  readonly key: KeyObject;
}

async function startOperator(answer: 'keys' | 'nothing'): Promise<Operator> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const jwk = { kty: 'OKP', crv: 'Ed25519', x };
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (answer === 'nothing') return;
    response.statusCode = request.url === '/.well-known/http-message-signatures-directory' ? 200 : 404;
    response.end(
      JSON.stringify({
        keys: [
          { kty: 'RSA', n: 'x' },
          { ...jwk, use: 'sig' },
        ],
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${host}`, host, asked: () => asked, server, jwk, key: privateKey };
}

interface SignOptions {
  readonly by?: KeyObject;
  readonly authority?: string;
  readonly createdAgo?: number;
  readonly components?: readonly string[];
  readonly tag?: string;
  readonly keyId?: string;
  /** `Signature-Agent` as a dictionary, as newer drafts have it. */
  readonly label?: string;
}

const seconds = () => Math.floor(Date.now() / 1_000);
const thumbprint = ({ jwk: { crv, kty, x } }: Operator) =>
  createHash('sha256').update(`{"crv":"${crv}","kty":"${kty}","x":"${x}"}`).digest('base64url');

/** Written by hand after RFC 9421, so that nothing of the service is needed. */
function signed(operator: Operator, options: SignOptions = {}): Record<string, string> {
  const { label, authority = ownHost, createdAgo = 0, tag = 'web-bot-auth' } = options;
  const agent = `"${operator.origin}"`;
  const member = label === undefined ? '"signature-agent"' : `"signature-agent";key="${label}"`;
  const values: Record<string, string> = {
    '"@authority"': authority,
    '"@method"': 'POST',
    '"@path"': '/validate',
    '"@query"': '?',
    '"x-request-id"': 'of-an-agent',
    [member]: agent,
  };
  const components = options.components ?? ['"@authority"', '"@method"', '"@path"', member];
  const created = seconds() - createdAgo;
  const keyId = options.keyId ?? thumbprint(operator);
  const parameters = `(${components.join(' ')});created=${created};keyid="${keyId}";alg="ed25519";expires=${created + 3_600};nonce="bm9uY2U";tag="${tag}"`;
  const lines = components.map((name) => `${name}: ${values[name] ?? ''}`);
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n');
  return {
    host: ownHost,
    'x-request-id': 'of-an-agent',
    'signature-agent': label === undefined ? agent : `${label}=${agent}`,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${sign(null, Buffer.from(base), options.by ?? operator.key).toString('base64')}:`,
  };
}

/** The service’s own, as POSTERN_PUBLIC_URL names it. */
let ownHost: string;
let operator: Operator;
let silent: Operator;
let stranger: Operator;
let service: TestService;
let project: TestProject;
beforeAll(async () => {
  [operator, silent, stranger] = await Promise.all([
    startOperator('keys'),
    startOperator('nothing'),
    startOperator('keys'),
  ]);
  const port = await freePort();
  ownHost = `127.0.0.1:${port}`;
  service = await startService({
    env: {
      POSTERN_PORT: String(port),
      POSTERN_PUBLIC_URL: `http://${ownHost}`,
      POSTERN_WEBHOOK_ALLOW: '127.0.0.1/32',
      POSTERN_AGENT_OPERATORS: `${operator.origin},${silent.origin}`,
    },
  });
  project = await service.makeProject({ policy: { agents: 'verify' } });
});
afterAll(async () => {
  await service?.close();
  for (const { server } of [operator, silent, stranger]) {
    server.closeAllConnections();
    server.close();
  }
});

const agentSignals = async (headers: Record<string, string>, on = project) => {
  const { status, json } = await on.validateFromPage(PERSON, headers);
  expect(status).toBe(200);
  return (json.signals as string[]).filter((signal) => signal.startsWith('agent_'));
};

it('an operator’s signature is verified, whichever parts of the request it covers', async () => {
  expect(await agentSignals(signed(operator))).toEqual(['agent_verified']);
  expect(await agentSignals(signed(operator, { label: 'g' }))).toEqual(['agent_verified']);
  const components = ['"@authority"', '"@query"', '"x-request-id"', '"signature-agent"'];
  expect(await agentSignals(signed(operator, { components }))).toEqual(['agent_verified']);
  // A header that the fast path leaves to Node’s parser.
  expect(await agentSignals({ ...signed(operator), connection: 'close' })).toEqual(['agent_verified']);
  const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 1, null));
  expect(rows[0]?.facts).toMatchObject({ agentOperator: operator.host, agentVerified: true });
  expect(rows[0]?.signals).toContain('agent_verified');
});

it('whoever borrows an operator’s name is named an impostor', async () => {
  const { privateKey: by } = generateKeyPairSync('ed25519');
  for (const headers of [
    signed(operator, { by }),
    signed(operator, { authority: 'evil.example' }),
    signed(operator, { createdAgo: 400 }),
    signed(operator, { createdAgo: -400 }),
    signed(operator, { components: ['"@authority"'] }),
    signed(operator, { keyId: thumbprint(stranger) }),
    { ...signed(operator), signature: 'sig1=:AAAA:' },
    { ...signed(operator), signature: 'other=:AAAA:' },
    { ...signed(operator), 'signature-input': 'sig1=("@authority' },
  ])
    expect([headers['signature-input'], await agentSignals(headers)]).toEqual([
      headers['signature-input'],
      ['agent_impostor'],
    ]);
  // Nine requests, and one more look for a key that is not there at most.
  expect(operator.asked()).toBeLessThanOrEqual(2);
});

it('what cannot be known is not held against anybody', async () => {
  const nothing: Record<string, string>[] = [
    signed(silent),
    signed(stranger),
    { ...signed(operator), host: 'evil.example' },
    signed(operator, { tag: 'another-use' }),
    signed(operator, { components: ['"@authority"', '"signature-agent"', '"x-unknown"'] }),
    { host: ownHost, 'signature-agent': `"${operator.origin}"` },
    { ...signed(operator), 'signature-agent': `"data:text/plain,${'x'.repeat(3_000)}"` },
  ];
  for (const headers of nothing) expect(await agentSignals(headers)).toEqual([]);
  expect([silent.asked(), stranger.asked()]).toEqual([1, 0]);
  const { json } = await project.validate(PERSON, signed(operator));
  expect(json.signals).not.toContain('agent_verified');
});

it('a project that did not switch it on asks nobody', async () => {
  const before = operator.asked();
  const off = await service.makeProject();
  expect(await agentSignals(signed(operator), off)).toEqual([]);
  expect(operator.asked()).toBe(before);
});

it('a rule lets an honest assistant in and keeps an impostor out', async () => {
  const rule = (id: string, when: string, then: 'allow' | 'block') =>
    ({ id, name: id, when, then, mode: 'live' }) as const;
  const own = await service.makeProject({ policy: { agents: 'verify', actions: { disposable: 'block' } } });
  await service.admin((admin) =>
    updateProject(admin, own.id, {
      rules: [
        rule('assistant', `agent.verified && agent.operator == "${operator.host}"`, 'allow'),
        rule('impostor', 'agent.operator != "" && !agent.verified', 'block'),
      ],
    }),
  );
  const throwaway = { email: 'jane@mailinator.com' };
  const recommended = async (body: object, headers: Record<string, string>) =>
    (await own.validateFromPage(body, headers)).json.recommendation;
  expect(await recommended(throwaway, { host: ownHost })).toBe('block');
  expect(await recommended(throwaway, signed(operator))).toBe('allow');
  expect(await recommended(PERSON, signed(operator, { by: stranger.key }))).toBe('block');
});

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const BROWSER = {
  'user-agent': CHROME,
  'sec-ch-ua': '"Chromium";v="141", "Not?A_Brand";v="8"',
  'sec-fetch-site': 'cross-site',
  'sec-fetch-mode': 'cors',
  'accept-language': 'en-GB',
};

it('headers that contradict the user agent are a hint of a script, for client keys', async () => {
  const { 'sec-fetch-site': _site, 'sec-fetch-mode': _mode, ...unfetched } = BROWSER;
  const { 'accept-language': _language, ...silentBrowser } = BROWSER;
  const headless = { ...BROWSER, 'sec-ch-ua': '"HeadlessChrome";v="141"' };
  const older = { ...unfetched, 'user-agent': CHROME.replace('141', '79') };
  const body = { email: 'jane.doe@gmail.com', fingerprintHash: 'a'.repeat(64) };
  const found = async (headers: Record<string, string>) => {
    const { json } = await project.validateFromPage(body, headers);
    return [
      json.signals.includes('automated_browser'),
      json.checks.device.metadata.automatedBy ?? null,
      json.checks.device.pass,
    ];
  };
  expect(await found(BROWSER)).toEqual([false, null, true]);
  expect(await found(older)).toEqual([false, null, true]);
  expect(await found({ ...unfetched, origin: 'https://app.example', 'user-agent': 'okhttp/4.12.0' })).toEqual(
    [false, null, true],
  );
  expect(await found(headless)).toEqual([true, 'sec-ch-ua', true]);
  expect(await found(unfetched)).toEqual([true, 'sec-fetch', true]);
  expect(await found(silentBrowser)).toEqual([true, 'accept-language', true]);
  const { rows } = await service.admin(({ store }) => store.log.page(project.id, {}, 1, null));
  expect(rows[0]?.facts.automated).toBe(true);
  const { json } = await project.validate(body, { 'sec-ch-ua': '"HeadlessChrome";v="141"' });
  expect(json.signals).not.toContain('automated_browser');
});
