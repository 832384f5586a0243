import type { Fetch } from 'postern~sdk/core';
import type {
  CheckName,
  OutcomeRequest,
  Recommendation,
  Signal,
  ValidateRequest,
  ValidateResponse,
  VerdictClaims,
} from '@postern/contract';
import { createPosternServerClient, type PosternServerClient } from '../postern-server-client.ts';
import type { PosternServerClientOptions } from '../server-options.ts';
import { createVerdictMaker } from './verdict-maker.ts';

/** What the fake service answers about an address: a recommendation, parts of an answer, or a failure. */
export type FakeAnswer =
  | Recommendation
  | (Partial<ValidateResponse> & { readonly recommendation: Recommendation })
  /** 503, as in an outage. */
  | 'outage'
  /** 402: the quota is used up. */
  | 'exhausted'
  /** 401: the key is wrong. */
  | 'misconfigured';

export interface FakeOptions {
  /** Answers by address, in lower case. All others are allowed. */
  readonly answers?: Readonly<Record<string, FakeAnswer>> | undefined;
  readonly projectId?: string | undefined;
}

export interface FakePostern {
  /** A real client whose requests the fake answers, without a network. Pass it to a guard. */
  readonly client: PosternServerClient;
  /** A client like it, with other options. */
  clientWith(options: PosternServerClientOptions): PosternServerClient;
  /** What the service answers about an address from now on. */
  answer(email: string, answer: FakeAnswer): void;
  /** A verdict that the clients accept, as a page would send it. Each is good for one form. */
  verdict(email: string, claims?: Partial<VerdictClaims>): Promise<string>;
  /** What the service was asked, and which outcomes it was told, in order. */
  readonly requests: readonly ValidateRequest[];
  readonly outcomes: readonly OutcomeRequest[];
  /** Answers like the service, for a `fetch` of your own. */
  readonly fetch: Fetch;
}

const FAILURES = { outage: 503, exhausted: 402, misconfigured: 401 } as const;
const CHECKS: readonly CheckName[] = ['syntax', 'disposable', 'mx', 'roleEmail', 'alias'];

export function createFakePostern(options: FakeOptions = {}): FakePostern {
  const projectId = options.projectId ?? 'demo';
  const answers = new Map(Object.entries(options.answers ?? {}));
  const requests: ValidateRequest[] = [];
  const outcomes: OutcomeRequest[] = [];
  const verdicts = createVerdictMaker(projectId);

  const validate = async (body: string): Promise<FakeResponse> => {
    const request = JSON.parse(body) as ValidateRequest;
    requests.push(request);
    const email = request.email.trim();
    if (email === '') return fakeResponse(400, { error: 'Email address is required' });
    const given = answers.get(email.toLowerCase()) ?? 'allow';
    if (isFailure(given)) {
      return fakeResponse(FAILURES[given], { error: `The fake answers ${given}`, ...NO_QUOTA });
    }
    const response = responseOf(given, request);
    const { recommendation, signals } = response;
    const requestId = globalThis.crypto.randomUUID();
    const checks = Object.keys(response.checks) as CheckName[];
    const claims = { recommendation, signals: signals as Signal[], requestId, checks };
    const verdict = await verdicts.sign(email, claims);
    return fakeResponse(200, response, { 'x-request-id': requestId, 'x-postern-verdict': verdict });
  };

  const fetch: Fetch = async (url, { body = '' }) => {
    const path = new URL(url).pathname;
    if (path.endsWith('/validate')) return validate(body);
    if (path.endsWith('/.well-known/jwks.json')) return fakeResponse(200, verdicts.keySet);
    if (path.endsWith('/v1/outcomes')) {
      const sent = (JSON.parse(body) as { outcomes: OutcomeRequest[] }).outcomes;
      outcomes.push(...sent);
      return fakeResponse(200, { recorded: sent.length, unknown: [] });
    }
    return fakeResponse(404, { error: 'Not found' });
  };
  const clientWith: FakePostern['clientWith'] = (changed) =>
    createPosternServerClient({
      baseUrl: 'http://postern.test',
      projectId,
      apiKey: 'fake-server-key',
      // A test of an outage should not wait.
      maxRetries: 0,
      fetch,
      ...changed,
    });
  return {
    client: clientWith({}),
    clientWith,
    answer: (email, answer) => {
      answers.set(email.trim().toLowerCase(), answer);
    },
    verdict: (email, claims = {}) => verdicts.sign(email, claims),
    requests,
    outcomes,
    fetch,
  };
}

const NO_QUOTA = { limit: 0, used: 0, remaining: 0, resetAt: '2100-01-01T00:00:00.000Z' };
const MESSAGE = 'Please use a permanent email address.';

function isFailure(given: FakeAnswer): given is keyof typeof FAILURES {
  return typeof given === 'string' && Object.hasOwn(FAILURES, given);
}

function responseOf(
  given: Exclude<FakeAnswer, keyof typeof FAILURES>,
  { fingerprintHash = null }: ValidateRequest,
): ValidateResponse {
  const parts = typeof given === 'string' ? { recommendation: given } : given;
  const { recommendation } = parts;
  const names = fingerprintHash === null ? CHECKS : [...CHECKS, 'device' as const];
  const checks = Object.fromEntries(
    names.map((name) => {
      const failed = recommendation !== 'allow' && name === 'disposable';
      return [name, failed ? { pass: false, error: 'Disposable', latency: 0 } : { pass: true, latency: 0 }];
    }),
  );
  return {
    checks,
    metadata: { fingerprintHash, previousSignups: 0, totalLatency: 0 },
    message: recommendation === 'allow' ? null : MESSAGE,
    signals: recommendation === 'allow' ? [] : ['disposable_email'],
    ...parts,
  };
}

/** Enough of a `Response` for the SDK, and for the fake service to send. */
export type FakeResponse = Awaited<ReturnType<Fetch>> & { readonly headerList: Record<string, string> };

function fakeResponse(status: number, body: unknown, headers: Record<string, string> = {}): FakeResponse {
  return {
    status,
    headerList: headers,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
    text: async () => JSON.stringify(body),
  };
}
