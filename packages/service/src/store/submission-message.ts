import { effectMarks, factsOf, marksOf, type PackedHistory, unpackHistory } from './log-record.ts';
import { type RateLane, rateLane, visitorLane } from './rate-rules.ts';
import type { Settlement, Submission } from './store.ts';
import type { HeldClaim } from './tables/answer-table.ts';
import type { TimedId } from './timed-id.ts';

/**
 * A submission in the form for a back end: flat and with the log row prepared, because every request sends one to a
 * worker thread or another machine.
 */
export interface SubmissionMessage {
  readonly project: string;
  readonly key: string;
  readonly projectVersion: number;
  readonly keyVersion: number;
  readonly lane: RateLane;
  readonly live: 0 | 1;
  readonly now: number;
  readonly rateLimit: number;
  readonly countRate: 0 | 1;
  readonly quotaLimit: number;
  readonly month: string;
  readonly validation: ValidationMessage | null;
  /** The name of the visitor’s own sliding hour; `null` when the visitor is not limited. */
  readonly visitor: string | null;
  readonly visitorLimit: number;
  /** The claim to end if the request is not counted. It stays in this process. */
  readonly claim: HeldClaim | null;
}

export interface ValidationMessage {
  readonly inbox: string;
  readonly spelling: string;
  readonly device: string | null;
  readonly network: string | null;
  readonly threshold: number;
  readonly commonNetworks: number;
  readonly retentionMs: number;
  /** See `LogRecord`. */
  readonly outcomes: string;
  /** What each of `HISTORY_FACTS` adds to the marks. */
  readonly effects: readonly string[];
  readonly logId: string;
  readonly marks: string;
  readonly facts: string;
}

export type SettlementMessage =
  | null
  | readonly [
      outcome: 'visitor-limited' | 'rate-limited' | 'quota-exceeded' | 'admitted',
      total: number,
      resetAt: number,
      retryAfter: number,
      quotaUsed: number,
      history: PackedHistory | null,
    ];

export function toMessage(submission: Submission, timedId: TimedId): SubmissionMessage {
  const { validation } = submission;
  return {
    project: submission.projectId,
    key: submission.keyId,
    projectVersion: submission.projectVersion,
    keyVersion: submission.keyVersion,
    lane: rateLane(submission.lane ?? submission.keyType, submission.mode),
    live: submission.mode === 'live' ? 1 : 0,
    now: Math.floor(submission.now),
    rateLimit: submission.rateLimit,
    countRate: submission.countRate ? 1 : 0,
    quotaLimit: submission.quotaLimit,
    month: submission.month,
    validation: validation && {
      inbox: validation.inboxHash,
      spelling: validation.spellingHash,
      device: validation.device?.deviceHash ?? null,
      network: validation.device?.networkHash ?? null,
      threshold: validation.device?.threshold ?? 0,
      commonNetworks: validation.device?.commonNetworks ?? 0,
      retentionMs: validation.retentionMs,
      outcomes: validation.log.outcomes,
      effects: effectMarks(validation.log),
      logId: submission.claim?.logId ?? timedId(submission.now),
      marks: marksOf(submission, validation),
      facts: factsOf(submission, validation),
    },
    visitor: submission.visitor && visitorLane(submission.visitor.hash, submission.mode),
    visitorLimit: submission.visitor?.limit ?? 0,
    claim: submission.claim ?? null,
  };
}

export function toSettlement(message: SettlementMessage, submission: SubmissionMessage): Settlement {
  if (message === null) return { outcome: 'stale' };
  const [outcome, total, resetAt, retryAfter, used, history] = message;
  const limit = outcome === 'visitor-limited' ? submission.visitorLimit : submission.rateLimit;
  const rate = { limit, remaining: Math.max(0, limit - total), resetAt, retryAfter };
  const quota = { limit: submission.quotaLimit, used };
  if (outcome === 'visitor-limited') return { outcome: 'rate-limited', by: 'visitor', rate, quota };
  if (outcome === 'rate-limited') return { outcome, by: 'project', rate, quota };
  if (outcome === 'quota-exceeded') return { outcome, rate, quota };
  return { outcome, rate, quota, history: history && unpackHistory(history) };
}

/** Whether the answer used a validation of the quota, which is refunded if nobody receives it. */
export function consumedQuota(submission: SubmissionMessage, settlement: SettlementMessage): boolean {
  return settlement?.[0] === 'admitted' && submission.validation !== null && submission.live === 1;
}
