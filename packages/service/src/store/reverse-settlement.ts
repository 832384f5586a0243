import { type Database, lockProject, type Statement, statement } from './database.ts';
import { bucketAt } from './rate-rules.ts';
import type { RetryQueue } from './retry-queue.ts';
import type { SettlementMessage, SubmissionMessage } from './submission-message.ts';
import { endClaim, endUncountedClaim, lockClaim, renewClaim, takenOver } from './tables/answer-table.ts';
import { ALWAYS, type Condition } from './tables/condition.ts';
import { keepSightings } from './tables/past-sightings.ts';
import { countWords, uncountLogged } from './tables/statistics-table.ts';

/**
 * Undoes what a request added to rate, quota, statistics and log, because its caller got a 503 after all. The sightings
 * stay: the caller will try again with the same inbox and device, and a repeated sighting changes no answer.
 *
 * Once the validation’s log row is gone, nothing more is undone. So it is safe to call this again if the database’s
 * answer is lost. The claim of an `Idempotency-Key` ends in the same transaction, so that its repeat counts exactly if
 * this request does not.
 */
async function reverseSettlement(
  database: Database,
  message: SubmissionMessage,
  [result]: NonNullable<SettlementMessage>,
): Promise<void> {
  if (result === 'admitted' && message.validation !== null) return reverseLogged(database, message);
  const { project, claim } = message;
  if (claim !== null && !(await renewClaim(database, project, claim))) return;
  const statements = [...lockRows(message), ...reverseRate(message, result, ALWAYS)];
  if (result !== 'admitted' && message.live === 1) {
    const kind = result === 'quota-exceeded' ? result : 'rate-limited';
    statements.push(countWords(project, message.now, `-1 ${kind}`));
  }
  if (claim !== null) statements.push(endClaim(project, claim));
  await database.write(statements);
}

/**
 * Undoes a request that has a log row exactly if it was counted. That may be unknown: the database’s answer was lost, or
 * an earlier attempt to undo it was.
 */
export async function reverseLogged(database: Database, message: SubmissionMessage): Promise<void> {
  const { project, claim, live } = message;
  const logged = loggedRow(message);
  if (logged === null) return;
  if (claim !== null && !(await renewClaim(database, project, claim))) return;
  await database.write([
    ...lockRows(message),
    ...reverseRate(message, 'admitted', logged),
    ...(live === 1 ? [reverseQuota(message, logged)] : []),
    ...reverseLog(message, logged),
    ...(claim === null ? [] : [endClaim(project, claim)]),
  ]);
}

export interface LateSettlements {
  /** Undoes what was counted for callers who had been refused, and ends the claims of those that were not counted. */
  undo(late: readonly (readonly [SubmissionMessage, SettlementMessage | undefined])[]): void;
  /** Ends the claims of requests that were not counted: never sent, or part of a batch that failed. */
  endClaims(messages: readonly SubmissionMessage[]): void;
}

/** Nobody waits for this work, so it is retried for up to 30 minutes. */
export function lateSettlements(database: Database, retries: RetryQueue): LateSettlements {
  const endClaims = (messages: readonly SubmissionMessage[]) => {
    const ends = messages.flatMap(({ project, claim }) =>
      claim === null ? [] : [endUncountedClaim(project, claim)],
    );
    if (ends.length > 0)
      retries.add(async () => {
        await database.write(ends);
      });
  };
  return {
    undo(late) {
      for (const [message, settlement] of late) {
        if (settlement) retries.add(() => reverseSettlement(database, message, settlement));
        else endClaims([message]);
      }
    },
    endClaims,
  };
}

/** The counts of a request exist if and only if its log row does. */
interface LoggedRow extends Condition {
  readonly id: string;
}

/** `null` if the request would have no log row. A row that a repeat counts on does not meet the condition. */
function loggedRow({ project, validation, claim }: SubmissionMessage): LoggedRow | null {
  if (validation === null) return null;
  const [id] = validation.log;
  const exists = 'EXISTS (SELECT 1 FROM validation_log WHERE project_id = ? AND id = ?)';
  if (claim === null) return { id, sql: exists, values: [project, id] };
  const taken = takenOver(project, claim);
  return { id, sql: `${exists} AND NOT ${taken.sql}`, values: [project, id, ...taken.values] };
}

/** Until the transaction ends, no other request of the project is counted and no repeat takes the claim over. */
function lockRows({ project, claim }: SubmissionMessage): Statement[] {
  return [lockProject(project), ...(claim === null ? [] : [lockClaim(project, claim)])];
}

function reverseRate(
  { project, lane: ownLane, visitors, now, countRate }: SubmissionMessage,
  result: NonNullable<SettlementMessage>[0],
  condition: Condition,
): Statement[] {
  if (countRate === 0 || result === 'rate-limited' || result === 'visitor-limited') return [];
  const second = bucketAt(now);
  const lanes = [ownLane, ...visitors.map(([lane]) => lane)];
  return lanes.flatMap((lane) => [
    // A lane’s time never runs backwards, so the request was counted in its own second or in the next later one.
    statement(
      `UPDATE rate_bucket SET counted = counted - 1, count = CASE WHEN second =
           (SELECT min(second) FROM rate_bucket WHERE project_id = ? AND lane = ? AND second >= ?)
         THEN count - 1 ELSE count END
       WHERE project_id = ? AND lane = ? AND second >= ? AND ${condition.sql}`,
      ...[project, lane, second, project, lane, second],
      ...condition.values,
    ),
    statement('DELETE FROM rate_bucket WHERE project_id = ? AND lane = ? AND count <= 0', project, lane),
  ]);
}

function reverseQuota({ project, month }: SubmissionMessage, { sql, values }: LoggedRow): Statement {
  return statement(
    `UPDATE quota SET used = used - 1 WHERE project_id = ? AND month = ? AND used > 0 AND ${sql}`,
    project,
    month,
    ...values,
  );
}

function reverseLog(message: SubmissionMessage, logged: LoggedRow): Statement[] {
  const { project, live } = message;
  const { id, sql, values } = logged;
  return [
    ...(live === 1 ? [uncountLogged(project, id, message.now, logged)] : []),
    // The trigger on validation_log wrote these deliveries.
    statement(
      `DELETE FROM delivery WHERE project_id = ? AND log_id = ? AND state = 'pending' AND ${sql}`,
      project,
      id,
      ...values,
    ),
    keepSightings(project, { sql: `id = ? AND ${sql}`, values: [id, ...values] }),
    statement(
      `DELETE FROM validation_log WHERE project_id = ? AND id = ? AND ${sql}`,
      project,
      id,
      ...values,
    ),
  ];
}
