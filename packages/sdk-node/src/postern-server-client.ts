import { CHECK_NAMES, isCheckName, MESSAGES } from '@postern/contract';
import {
  type ClientOptions,
  createValidationClient,
  isPosternError,
  type OfflineCheck,
  type PosternError,
  type ServerFallback,
  type ValidateOptions,
  type Validation,
  type ValidationClient,
} from '@postern/sdk-core';
import { createAcceptedQueue } from './accepted-queue.ts';
import { type CallerOptions, type ContextLike, getCaller, type RequestLike } from './caller.ts';
import { domainOf } from './email-hash.ts';
import {
  type EvaluatedSignUp,
  type EvaluateOptions,
  evaluateSignUp,
  type SignUp,
} from './evaluate-sign-up.ts';
import { createOfflineList, type OfflineList } from './offline-list.ts';
import { createReportOutcome, type ReportOutcome } from './report-outcome.ts';
import { openVerdictKeys, type VerdictKeys } from './verdict-keys.ts';
import {
  createVerdictVerifier,
  type VerdictVerifier,
  type VerdictVerifierOptions,
} from './verify-verdict.ts';

export interface PosternServerClientOptions
  extends ClientOptions<ServerFallback>,
    CallerOptions,
    Omit<VerdictVerifierOptions, 'baseUrl' | 'projectId' | 'fetch'> {
  /**
   * Reports each sign-up that `evaluateSignUp` or a guard accepts as the outcome `accepted`, in batches. Default: `false`.
   * Call `flushOutcomes` before the process ends.
   */
  reportAccepted?: boolean;
}

export interface ServerValidateOptions extends ValidateOptions {
  /** Where `ip` and `userAgent` come from, unless they are given. */
  request?: RequestLike | ContextLike;
}

export interface PingResult {
  readonly ok: boolean;
  /** What is wrong, one sentence each. */
  readonly problems: readonly string[];
}

export interface PosternServerClient extends ValidationClient, VerdictVerifier {
  validate(email: string, options?: ServerValidateOptions): Promise<Validation>;
  /** Decides about a sign-up: by the form’s verdict if it is valid, otherwise by asking the service. */
  evaluateSignUp(signUp: SignUp, options?: EvaluateOptions): Promise<EvaluatedSignUp>;
  /** Reports whether people turned out good or bad, so that the dashboard can show which signals were right. */
  reportOutcome: ReportOutcome;
  /** Sends the accepted sign-ups that are waiting, if `reportAccepted` is on. */
  flushOutcomes(): Promise<void>;
  /** Says whether URL, key, project and verdict keys work. Uses no quota; call it when your backend starts. */
  ping(): Promise<PingResult>;
}

/** For backends. `apiKey` is a server key: keep it out of pages. */
export function createPosternServerClient(options: PosternServerClientOptions): PosternServerClient {
  checkRequireChecks(options?.requireChecks);
  let list: OfflineList | null = null;
  const checkOffline: OfflineCheck = async (email, signal) => {
    if (list === null) return null;
    const listed = (await list.get(signal)).includes(await domainOf(email));
    return listed
      ? { recommendation: 'block', message: MESSAGES.plain.disposable, signals: ['disposable_email'] }
      : { recommendation: 'allow', message: null, signals: [] };
  };
  const client = createValidationClient(options, { name: 'node', keyType: 'server', checkOffline });
  const keys = openVerdictKeys(options);
  list = createOfflineList({
    baseUrl: options.baseUrl,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    keys,
    now: options.now ?? Date.now,
  });
  const offlineList = list;
  const usesList = [options.whenUnavailable ?? 'open', options.whenExhausted ?? 'offline'].includes(
    'offline',
  );
  const verifier = createVerdictVerifier(options, keys);
  const reportOutcome = createReportOutcome(options);
  const accepted = createAcceptedQueue(reportOutcome, options.onProblem, options.now ?? Date.now);

  const validate: PosternServerClient['validate'] = (email, { request, ...rest } = {}) => {
    // Once the list is needed it is too late to fetch it.
    if (usesList) offlineList.prepare();
    const caller = request === undefined ? {} : getCaller(request, options);
    return client.validate(email, { ...caller, ...rest });
  };
  return {
    whenUnavailable: client.whenUnavailable,
    validate,
    verifyVerdict: verifier.verifyVerdict,
    evaluateSignUp: async (signUp, evaluateOptions) => {
      if (usesList) offlineList.prepare();
      const asking = { ...client, validate };
      const result = await evaluateSignUp(asking, verifier, signUp, { ...options, ...evaluateOptions });
      // Without an answer, the service does not know the person.
      const checked = result.accepted && (result.source === 'verdict' || result.source === 'service');
      if (checked && options.reportAccepted === true) accepted.add(result.email);
      return result;
    },
    reportOutcome,
    flushOutcomes: accepted.flush,
    ping: () => ping(client, keys),
  };
}

/** A misspelled name would refuse every sign-up. */
function checkRequireChecks(names: PosternServerClientOptions['requireChecks']): void {
  const unknown = names?.find((name) => !isCheckName(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `Postern does not know the check “${unknown}” in requireChecks; there are ${CHECK_NAMES.join(', ')}`,
  );
}

async function ping(client: ValidationClient, keys: VerdictKeys): Promise<PingResult> {
  const problems = [await askProblem(client), await keysProblem(keys)].filter((problem) => problem !== null);
  return { ok: problems.length === 0, problems };
}

/** An empty address is refused after key and project were accepted and before any quota is used. */
async function askProblem(client: ValidationClient): Promise<string | null> {
  try {
    const { failure } = await client.validate('');
    return failure === null ? null : sentence(failure);
  } catch (error) {
    if (!isPosternError(error)) throw error;
    return error.label === 'INVALID_EMAIL' ? null : sentence(error);
  }
}

async function keysProblem(keys: VerdictKeys): Promise<string | null> {
  try {
    await keys.find('ping');
    return null;
  } catch (error) {
    return `The verdict keys could not be fetched: ${error instanceof Error ? error.message : String(error)}`;
  }
}

const ADVICE: Readonly<Partial<Record<PosternError['label'], string>>> = {
  UNAUTHORIZED: 'Check apiKey: it may be mistyped, revoked or expired.',
  PROJECT_NOT_FOUND: 'Check projectId: the key belongs to another project.',
  INVALID_KEY_TYPE: 'The request looked like a browser’s. Is a proxy adding an Origin header?',
  NOT_FOUND: 'Check baseUrl: there is no Postern at that address.',
  UNEXPECTED_ANSWER: 'Check baseUrl: something else answers there.',
  UNREACHABLE: 'Check baseUrl, and that the service runs.',
  TIMEOUT: 'Check baseUrl, and that the service runs.',
};

function sentence({ label, message }: PosternError): string {
  return [`${message} (${label}).`, ADVICE[label]].filter((part) => part !== undefined).join(' ');
}
