import type { DnsAnswer } from './dns-answer.ts';
import type { QuestionType } from './dns-message.ts';

/** `unchecked`: there are no canaries, and the resolver is always trusted. */
export type ResolverStatus = 'starting' | 'ok' | 'offline' | 'unchecked';

export interface CanaryWatchOptions {
  /** Domains that every resolver with internet access can find. If there are none, the resolver is always trusted. */
  readonly canaries: readonly string[];
  readonly ask: (domain: string, type: QuestionType) => Promise<DnsAnswer>;
  /** Whether a canary without mail hosts but with an address counts as found. */
  readonly addressSuffices: boolean;
  readonly clock: () => number;
  /** The pause between checks while offline. It doubles from the first to the last value. */
  readonly retryMs: readonly [first: number, last: number];
  readonly onChange: (status: ResolverStatus) => void;
}

export interface CanaryWatch {
  readonly status: () => ResolverStatus;
  /** When the status last changed, and when the canaries were last checked. */
  readonly since: () => number;
  readonly lastCheckedAt: () => number | null;
  /** Resolves with the first result. */
  readonly start: () => Promise<void>;
  /** The resolver has just found something that needs internet access. */
  readonly sawProof: () => void;
  /** The resolver could not tell. */
  readonly sawFailure: () => void;
  /**
   * Whether a negative answer can be trusted: the resolver has recently proved that it has internet access, or proves
   * it now. A network that is cut off or behind a sign-in page answers NXDOMAIN to everything.
   */
  readonly mayBelieveNegative: () => boolean | Promise<boolean>;
  /** Whether the resolver has found something lately. */
  readonly hasProof: () => boolean;
  /** A look-up takes long. Finds out whether others would, too. */
  readonly prove: () => void;
  readonly close: () => void;
}

const PROOF_LASTS_MS = 10_000;
const NEGATIVES_PER_PROOF = 8;
const FAILURES_BEFORE_CHECK = 3;
/** Failures trigger a canary check at most this often. */
const CHECK_AT_MOST_EVERY_MS = 5_000;
const CHECK_WHILE_OK_EVERY_MS = 5 * 60_000;

export function createCanaryWatch(options: CanaryWatchOptions): CanaryWatch {
  const { canaries, clock } = options;
  let status: ResolverStatus = canaries.length === 0 ? 'unchecked' : 'starting';
  let since = clock();
  let lastCheckedAt: number | null = null;
  let provedAt = Number.NEGATIVE_INFINITY;
  let negatives = 0;
  let failures = 0;
  let checking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = options.retryMs[0];
  let closed = false;
  /** Whether a canary could not be asked for, because our own machine lacks something. */
  let shortage = false;

  const sawProof = () => {
    provedAt = clock();
    negatives = 0;
    failures = 0;
  };

  const settle = (reachable: boolean) => {
    checking = undefined;
    if (closed) return;
    lastCheckedAt = clock();
    failures = 0;
    if (reachable) sawProof();
    const next = reachable ? 'ok' : 'offline';
    if (status !== next) {
      status = next;
      since = lastCheckedAt;
      pauseMs = options.retryMs[0];
      options.onChange(status);
    }
    clearTimeout(timer);
    timer = setTimeout(() => void check(), reachable ? CHECK_WHILE_OK_EVERY_MS : pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, options.retryMs[1]);
  };

  /** A question that could not be sent says nothing about the resolver. */
  const postpone = () => {
    checking = undefined;
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => void check(), options.retryMs[1]).unref();
  };

  const isFound = async (canary: string): Promise<boolean> => {
    const mail = await options.ask(canary, 'MX');
    if (mail.result === 'failed' && mail.reason === 'no-resources') shortage = true;
    if (mail.result === 'records') return mail.records.some((record) => record.value !== '');
    if (mail.result !== 'no-data' || !options.addressSuffices) return false;
    return (await options.ask(canary, 'A')).result === 'records';
  };

  /** One found canary is enough: a provider can be down, or blocked in a country. */
  const check = (): Promise<void> => {
    if (checking === undefined) shortage = false;
    checking ??= Promise.any(
      canaries.map(async (canary) => {
        if (!(await isFound(canary))) throw new Error(`${canary} was not found`);
      }),
    ).then(
      () => settle(true),
      () => (shortage ? postpone() : settle(false)),
    );
    return checking;
  };

  return {
    status: () => status,
    since: () => since,
    lastCheckedAt: () => lastCheckedAt,
    start: () => (status === 'starting' ? check() : Promise.resolve()),
    sawProof,
    sawFailure: () => {
      failures++;
      const rested = lastCheckedAt === null || clock() - lastCheckedAt >= CHECK_AT_MOST_EVERY_MS;
      if (status === 'ok' && failures >= FAILURES_BEFORE_CHECK && rested) void check();
    },
    mayBelieveNegative: () => {
      if (status === 'unchecked') return true;
      const proved = clock() - provedAt < PROOF_LASTS_MS && negatives < NEGATIVES_PER_PROOF;
      negatives++;
      return proved || check().then(() => status === 'ok');
    },
    hasProof: () => status === 'ok' && clock() - provedAt < PROOF_LASTS_MS,
    prove: () => {
      const rested = lastCheckedAt === null || clock() - lastCheckedAt >= CHECK_AT_MOST_EVERY_MS;
      if (status === 'ok' && clock() - provedAt >= PROOF_LASTS_MS && rested) void check();
    },
    close: () => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
