import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  API_ERRORS,
  type ApiError,
  CORS_ALLOWED_HEADERS,
  CORS_EXPOSED_HEADERS,
  DISPOSABLE_LIST_PATH,
  type ValidateRequest,
  type ValidateResponse,
  VERDICT_LIFETIME_SECONDS,
  VERDICT_TYPE,
  type VerdictClaims,
} from '@postern/contract';

/** A key with a right checksum that no service knows. */
export const UNKNOWN_SERVER_KEY = 'pst_server_live_0123456789ABCDEFGHIJKLMNOPQRST1X7MYu';

export interface StubRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ValidateRequest;
}

export type StubAnswer =
  | { readonly response: ValidateResponse }
  | { readonly refusal: ApiError; readonly retryAfter?: number }
  | { readonly status: number; readonly text: string; readonly headers?: Record<string, string> }
  /** The connection is cut without an answer. */
  | 'cut'
  /** There is never an answer. */
  | 'silence';

export interface StubService {
  readonly url: string;
  readonly requests: StubRequest[];
  /** How often the key set was fetched. */
  jwksFetches: number;
  /** A new signing key; the old one stays published unless it is dropped. */
  rotate(options?: { dropOld?: boolean; publish?: boolean }): void;
  signVerdict(claims: Partial<VerdictClaims> & { email?: string }, header?: Record<string, unknown>): string;
  close(): Promise<void>;
}

export function allowed(changes: Partial<ValidateResponse> = {}): StubAnswer {
  return {
    response: {
      checks: { syntax: { pass: true, latency: 0.01 } },
      metadata: { fingerprintHash: null, previousSignups: 0, totalLatency: 0.2 },
      message: null,
      recommendation: 'allow',
      signals: [],
      ...changes,
    },
  };
}

export const blocked = (): StubAnswer =>
  allowed({
    checks: { disposable: { pass: false, error: 'Disposable address', latency: 0.1 } },
    message: 'Please use a permanent email address.',
    recommendation: 'block',
    signals: ['disposable_email'],
  });

/** The hash that verdicts carry as `sub`, for ASCII addresses. */
export function stubEmailHash(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('base64url');
}

/** A service on loopback that follows the contract and gives one scripted answer after the other. */
export async function startStubService(
  answer: (request: StubRequest, index: number) => StubAnswer | Promise<StubAnswer>,
): Promise<StubService> {
  const keys: { kid: string; privateKey: KeyObject; published: boolean; x: string }[] = [];
  const addKey = (published: boolean) => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { x } = publicKey.export({ format: 'jwk' });
    keys.unshift({ kid: `key-${randomUUID()}`, privateKey, published, x: x ?? '' });
  };
  addKey(true);

  const signVerdict: StubService['signVerdict'] = ({ email = 'jane@example.com', ...claims }, header) => {
    const now = Math.floor(Date.now() / 1000);
    const [key] = keys;
    if (key === undefined) throw new Error('no key');
    const full: VerdictClaims = {
      iss: 'postern',
      aud: 'demo',
      sub: stubEmailHash(email),
      jti: randomUUID(),
      requestId: randomUUID(),
      checks: ['syntax'],
      event: 'sign_up',
      iat: now,
      exp: now + VERDICT_LIFETIME_SECONDS,
      recommendation: 'allow',
      signals: [],
      mode: 'live',
      ...claims,
    };
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = `${encode({ alg: 'EdDSA', typ: VERDICT_TYPE, kid: key.kid, ...header })}.${encode(full)}`;
    return `${signed}.${sign(null, Buffer.from(signed), key.privateKey).toString('base64url')}`;
  };

  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    // Backends fetch the list of disposable domains ahead. It is no question about an address.
    if (request.url === DISPOSABLE_LIST_PATH) {
      response.writeHead(404).end();
      return;
    }
    if (request.url === '/.well-known/jwks.json') {
      service.jwksFetches += 1;
      const published = keys.filter((key) => key.published);
      const set = published.map(({ kid, x }) => ({
        kty: 'OKP',
        crv: 'Ed25519',
        alg: 'EdDSA',
        use: 'sig',
        kid,
        x,
      }));
      return send(response, 200, JSON.stringify({ keys: set }), {});
    }
    if (request.headers.origin !== undefined) {
      response.setHeader('Access-Control-Allow-Origin', request.headers.origin);
      response.setHeader('Access-Control-Expose-Headers', CORS_EXPOSED_HEADERS);
      response.setHeader('Access-Control-Allow-Headers', CORS_ALLOWED_HEADERS);
      response.setHeader('Vary', 'Origin');
    }
    if (request.method === 'OPTIONS') return response.writeHead(204).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const body = JSON.parse(text === '' ? '{}' : text) as ValidateRequest;
    const received = { path: request.url ?? '', headers: request.headers, body };
    service.requests.push(received);
    if (received.body.email === '') {
      const { status, text: error } = API_ERRORS.EMAIL_REQUIRED;
      return send(response, status, JSON.stringify({ error }), {});
    }
    const given = await answer(received, service.requests.length - 1);
    if (given === 'silence') return;
    if (given === 'cut') return request.socket.destroy();
    if ('text' in given) return send(response, given.status, given.text, given.headers ?? {});
    const headers: Record<string, string> = { ...LIMIT_HEADERS, 'X-Request-Id': randomUUID() };
    if ('refusal' in given) {
      if (given.retryAfter !== undefined) headers['Retry-After'] = String(given.retryAfter);
      return send(response, given.refusal.status, JSON.stringify(given.refusal.body), headers);
    }
    const { recommendation, signals } = given.response;
    const aud = String(request.headers['x-project-id']);
    headers['X-Postern-Verdict'] = signVerdict({ email: body.email, aud, recommendation, signals });
    send(response, 200, JSON.stringify(given.response), headers);
  };

  const server = createServer((request, response) => void reply(request, response));
  const service: StubService = {
    url: '',
    requests: [],
    jwksFetches: 0,
    rotate: ({ dropOld = false, publish = true } = {}) => {
      if (dropOld) keys.length = 0;
      addKey(publish);
    },
    signVerdict,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(service, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

const LIMIT_HEADERS = {
  'X-Quota-Limit': '1000',
  'X-Quota-Used': '12',
  'X-Quota-Remaining': '988',
  'X-Quota-Reset': '2030-01-01T00:00:00.000Z',
  'X-RateLimit-Limit': '1000',
  'X-RateLimit-Remaining': '997',
  'X-RateLimit-Reset': '1893456000',
};

function send(response: ServerResponse, status: number, text: string, headers: Record<string, string>): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
}
