import { writeDetails } from './log-details.ts';
import { effectWords, listWords, ruleWords, wordsOf } from './log-words.ts';
import { type PackedHistory, unpackHistory } from './packed-history.ts';
import { type RateLane, rateLane, visitorLane } from './rate-rules.ts';
import type { LogRecord, Settlement, Submission } from './store.ts';
import type { HeldClaim } from './tables/answer-table.ts';
import { type TimedId, timeOfId } from './timed-id.ts';

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
  /** The sliding hours of the visitor’s own networks, the smallest network first. */
  readonly visitors: readonly VisitorLane[];
  /** The claim to end if the request is not counted. It stays in this process. */
  readonly claim: HeldClaim | null;
}

type VisitorLane = readonly [lane: string, limit: number];

export interface ValidationMessage {
  readonly inbox: string;
  readonly spelling: string;
  /** See `SpellingClaim`. */
  readonly isClaim: 0 | 1;
  readonly claimNetwork: string | null;
  readonly confirmedOnly: 0 | 1;
  readonly device: string | null;
  readonly network: string | null;
  readonly threshold: number;
  readonly commonNetworks: number;
  readonly flagClaims: 0 | 1;
  readonly mistyped: number;
  readonly retentionMs: number;
  /** See `LogRecord`. */
  readonly recommendations: string;
  readonly rules: readonly string[];
  readonly lists: readonly string[];
  /** What each of `HISTORY_FACTS` adds to the words. */
  readonly effects: readonly string[];
  readonly log: LogFields;
  readonly words: string;
  readonly details: string;
}

/** The columns of the log row that nothing else of the message has. */
type LogFields = readonly [
  id: string,
  at: number,
  requestId: string,
  domain: string,
  shape: string | null,
  network: string | null,
  country: string | null,
  asn: number | null,
];

export type SettlementMessage =
  | null
  | readonly [
      result: 'visitor-limited' | 'rate-limited' | 'quota-exceeded' | 'admitted',
      /** What the lane counted. If a visitor’s limit was reached: that limit. */
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
      isClaim: validation.claim.isClaim ? 1 : 0,
      claimNetwork: validation.claim.networkHash,
      confirmedOnly: validation.claim.confirmedOnly ? 1 : 0,
      device: validation.device?.deviceHash ?? null,
      network: validation.device?.networkHash ?? null,
      threshold: validation.device?.threshold ?? 0,
      commonNetworks: validation.device?.commonNetworks ?? 0,
      flagClaims: validation.device?.flagClaims ? 1 : 0,
      mistyped: validation.device?.mistyped ?? 0,
      retentionMs: validation.retentionMs,
      recommendations: validation.log.recommendations,
      rules: ruleWords(validation.log.rules),
      lists: listWords(validation.log.lists),
      effects: effectWords(validation.log),
      log: logFields(submission.claim?.logId, submission.now, timedId, validation.log),
      words: wordsOf(validation.log),
      details: writeDetails(
        submission.keyType,
        validation.log,
        validation.spellingHash === validation.inboxHash ? null : validation.spellingHash,
      ),
    },
    visitors: submission.visitors.map(({ hash, limit }) => [visitorLane(hash, submission.mode), limit]),
    claim: submission.claim ?? null,
  };
}

/** A claimed request has the ID, and so the time, of its first attempt. */
function logFields(claimedId: string | undefined, now: number, timedId: TimedId, log: LogRecord): LogFields {
  const { country, asn } = log.statistics;
  return [
    claimedId ?? timedId(now),
    claimedId === undefined ? Math.floor(now) : timeOfId(claimedId),
    log.requestId,
    log.domain,
    log.shape ?? null,
    log.maskedIp,
    country ?? null,
    asn ?? null,
  ];
}

export function toSettlement(message: SettlementMessage, submission: SubmissionMessage): Settlement {
  if (message === null) return { result: 'stale' };
  const [result, total, resetAt, retryAfter, used, history] = message;
  const limit = result === 'visitor-limited' ? total : submission.rateLimit;
  const rate = { limit, remaining: Math.max(0, limit - total), resetAt, retryAfter };
  const quota = { limit: submission.quotaLimit, used };
  if (result === 'visitor-limited') return { result: 'rate-limited', by: 'visitor', rate, quota };
  if (result === 'rate-limited') return { result, by: 'project', rate, quota };
  if (result === 'quota-exceeded') return { result, rate, quota };
  return { result, rate, quota, history: history && unpackHistory(history) };
}
