import { DAY_MS } from '@postern/contract';
import { type Database, integer, type Statement, statement, text, textOrNull } from '../database.ts';
import { type DeadlineTimer, withDeadline } from '../deadline.ts';
import type { RetryQueue } from '../retry-queue.ts';
import { tableOf } from '../table-of.ts';
import { TIMED_ID_LENGTH, type TimedId } from '../timed-id.ts';
import type { Condition } from './condition.ts';

export const IDEMPOTENT_ANSWER = tableOf('idempotent_answer', {
  projectId: text,
  keyHash: text,
  requestHash: text,
  token: text,
  createdAt: integer,
  claimedUntil: integer,
  answer: textOrNull,
});

/** A request with an `Idempotency-Key`; the hashes are keyed, the token is random. */
export interface AnswerClaim {
  readonly keyHash: string;
  readonly requestHash: string;
  readonly token: string;
  readonly now: number;
}

/** A claim that the store has granted. */
export interface HeldClaim {
  readonly keyHash: string;
  readonly token: string;
  /** The ID of the log row that `settle` writes for the request. */
  readonly logId: string;
}

export type ClaimResult =
  /** Answer the request, then call `keep` or `release` with this claim. */
  | {
      readonly state: 'claimed';
      readonly claim: HeldClaim;
      /** Whether the log already has that row: a process counted the request and ended before it kept the answer. */
      readonly counted: boolean;
    }
  | { readonly state: 'answered'; readonly answer: string }
  /** The key was used with a different request before. */
  | { readonly state: 'other-request' }
  /** The first request has no answer yet; `retryAfter` is in seconds. */
  | { readonly state: 'under-way'; readonly retryAfter: number };

/** How long an answer is kept for repeats of its request. */
export const ANSWERS_KEPT_MS = DAY_MS;

/** How long a claim is valid. It is much longer than a request can take and ends soon after a crash. */
const CLAIM_MS = 10_000;

/** A stored token ends with the ID of the request’s log row. */
const logIdIn = (token: string) => `substr(${token}, length(${token}) - ${TIMED_ID_LENGTH - 1})`;
const claimIn = (token: string) => `substr(${token}, 1, length(${token}) - ${TIMED_ID_LENGTH})`;

/** A claim that takes over from one that was counted keeps its log row. */
const NEXT_TOKEN = `CASE WHEN idempotent_answer.request_hash = excluded.request_hash
    AND idempotent_answer.created_at > ? AND EXISTS (SELECT 1 FROM validation_log AS logged
      WHERE logged.project_id = idempotent_answer.project_id AND logged.id = ${logIdIn('idempotent_answer.token')})
  THEN ${claimIn('excluded.token')} || ${logIdIn('idempotent_answer.token')} ELSE excluded.token END`;

export interface AnswerStoreParts {
  readonly startTimer: DeadlineTimer;
  readonly retries: RetryQueue;
  readonly timedId: TimedId;
}

export type AnswerStore = ReturnType<typeof answerStore>;

/**
 * Answers that are kept for 24 hours, so that a repeated request gets the first answer and is not counted again. A
 * claim decides the ID of the log row that `settle` writes in the transaction that counts the request. So the row
 * tells whether a request was counted whose process ended before it kept the answer.
 *
 * If `settle` fails, the store ends the claim of its submission itself, as soon as nothing of the request is counted
 * any more. Until then a repeat would count it a second time.
 */
export function answerStore(database: Database, { startTimer, retries, timedId }: AnswerStoreParts) {
  /** An answer that was counted must not get lost, or the repeat would be counted again. */
  const written = (change: Statement) =>
    new Promise<void>((resolve) => {
      retries.add(async () => {
        await database.write([change]);
        resolve();
      });
    });

  return {
    async claim(
      projectId: string,
      { keyHash, requestHash, token, now }: AnswerClaim,
      timeoutMs?: number,
    ): Promise<ClaimResult> {
      const free = `idempotent_answer.created_at <= ?
        OR (idempotent_answer.answer IS NULL AND idempotent_answer.claimed_until <= ?)`;
      const stored = token + timedId(now);
      const writing = database.write([
        statement(
          `INSERT INTO idempotent_answer (${IDEMPOTENT_ANSWER.list}) VALUES (?, ?, ?, ?, ?, ?, NULL)
           ON CONFLICT (project_id, key_hash) DO UPDATE SET request_hash = excluded.request_hash,
             token = ${NEXT_TOKEN}, created_at = excluded.created_at, claimed_until = excluded.claimed_until,
             answer = NULL
           WHERE ${free}`,
          projectId,
          keyHash,
          requestHash,
          stored,
          now,
          now + CLAIM_MS,
          now - ANSWERS_KEPT_MS,
          now - ANSWERS_KEPT_MS,
          now,
        ),
        statement(
          `SELECT request_hash, token, claimed_until, answer FROM idempotent_answer
           WHERE project_id = ? AND key_hash = ?`,
          projectId,
          keyHash,
        ),
      ]);
      const [, rows] = await withDeadline(startTimer, timeoutMs, writing);
      const row = rows?.[0];
      if (!row) throw new Error('A claim was not stored');
      const holder = text(row, 'token');
      if (holder.slice(0, -TIMED_ID_LENGTH) === token) {
        const logId = holder.slice(-TIMED_ID_LENGTH);
        return { state: 'claimed', claim: { keyHash, token: holder, logId }, counted: holder !== stored };
      }
      if (text(row, 'request_hash') !== requestHash) return { state: 'other-request' };
      const answer = textOrNull(row, 'answer');
      if (answer !== null) return { state: 'answered', answer };
      const leftMs = integer(row, 'claimed_until') - now;
      return {
        state: 'under-way',
        retryAfter: Math.min(CLAIM_MS / 1_000, Math.max(1, Math.ceil(leftMs / 1_000))),
      };
    },
    /** Keeps the answer, unless the claim has ended and another request holds the key. */
    keep: (projectId: string, { keyHash, token }: HeldClaim, answer: string) =>
      written(
        statement(
          'UPDATE idempotent_answer SET answer = ? WHERE project_id = ? AND key_hash = ? AND token = ?',
          answer,
          projectId,
          keyHash,
          token,
        ),
      ),
    /**
     * Ends the claim without an answer. If the request is counted, by this process or by one that died, the claim stays
     * until a repeat takes it over; the repeat does not count again.
     */
    release: (projectId: string, claim: HeldClaim) => written(endUncountedClaim(projectId, claim)),
    /**
     * Ends the claim although the log may have the request’s row: its quota was given back, or a test address simulated a
     * limit. Its repeat is handled like a new request.
     */
    drop: (projectId: string, claim: HeldClaim) => written(endClaim(projectId, claim)),
  };
}

export function endClaim(projectId: string, { keyHash, token }: HeldClaim): Statement {
  return statement(
    'DELETE FROM idempotent_answer WHERE project_id = ? AND key_hash = ? AND token = ? AND answer IS NULL',
    projectId,
    keyHash,
    token,
  );
}

/** A claim whose request is counted stays until it is taken over by a repeat, which then does not count again. */
export function endUncountedClaim(projectId: string, claim: HeldClaim): Statement {
  const { sql, values } = endClaim(projectId, claim);
  const counted = 'EXISTS (SELECT 1 FROM validation_log WHERE project_id = ? AND id = ?)';
  return statement(`${sql} AND NOT ${counted}`, ...values, projectId, claim.logId);
}

/** Whether a repeat has taken the claim over together with the log row, so that the repeat counts on the row. */
export function takenOver(projectId: string, { keyHash, token, logId }: HeldClaim): Condition {
  return {
    sql: `EXISTS (SELECT 1 FROM idempotent_answer
      WHERE project_id = ? AND key_hash = ? AND token <> ? AND ${logIdIn('token')} = ?)`,
    values: [projectId, keyHash, token, logId],
  };
}

/** Until the end of the transaction no repeat can take the claim over. */
export function lockClaim(projectId: string, { keyHash }: HeldClaim): Statement {
  return statement(
    'UPDATE idempotent_answer SET token = token WHERE project_id = ? AND key_hash = ?',
    projectId,
    keyHash,
  );
}

/**
 * Extends a claim whose request is about to be undone. Returns whether it may be undone: if a repeat has taken the claim
 * over together with the log row, that repeat counts on the row.
 */
export async function renewClaim(database: Database, projectId: string, claim: HeldClaim): Promise<boolean> {
  const { keyHash, token } = claim;
  const taken = takenOver(projectId, claim);
  const [, rows] = await database.write([
    statement(
      `UPDATE idempotent_answer SET claimed_until = ?
       WHERE project_id = ? AND key_hash = ? AND token = ? AND answer IS NULL`,
      Date.now() + CLAIM_MS,
      projectId,
      keyHash,
      token,
    ),
    statement(`SELECT 1 AS taken WHERE ${taken.sql}`, ...taken.values),
  ]);
  return rows?.length === 0;
}
