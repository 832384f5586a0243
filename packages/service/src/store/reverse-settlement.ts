import { HOUR_MS } from '../model/windows.ts';
import { type Database, type Statement, statement } from './database.ts';
import { consumedQuota, type SettlementMessage, type SubmissionMessage } from './submission-message.ts';
import { countWords, uncountLogged } from './tables/statistics-table.ts';

/**
 * Undoes what a request added to rate, quota, usage and log although its caller was answered 503. The sightings stay:
 * the caller will try again with the same inbox and device, and a repeated sighting changes no answer.
 *
 * A validation’s log row tells whether it is already undone, so trying again after a lost answer does no harm.
 */
export async function reverseSettlement(
  database: Database,
  message: SubmissionMessage,
  settlement: NonNullable<SettlementMessage>,
): Promise<void> {
  const [outcome] = settlement;
  const { project, validation } = message;
  const logged = outcome === 'admitted' && validation !== null ? validation.logId : null;
  const statements = [
    // Requests of the project wait for this row, so nothing is counted meanwhile.
    statement('UPDATE project SET version = version WHERE id = ?', project),
    ...reverseRate(message, outcome, logged),
  ];
  if (logged !== null) {
    if (consumedQuota(message, settlement)) statements.push(reverseQuota(message, logged));
    statements.push(...reverseLog(message, logged));
  } else if (outcome !== 'admitted' && message.live === 1) {
    const kind = outcome === 'quota-exceeded' ? outcome : 'rate-limited';
    statements.push(reverseUsage(message, '?', kind), countWords(project, message.now, `-1 ${kind}`));
  }
  await database.write(statements);
}

/** What a batch may have left whose answer was lost, apart from its quota; see postgres/batch-reversal.ts. */
export async function reverseLogged(
  database: Database,
  messages: readonly SubmissionMessage[],
): Promise<void> {
  for (const message of messages) {
    const { project, validation } = message;
    if (validation === null) continue;
    await database.write([
      statement('UPDATE project SET version = version WHERE id = ?', project),
      ...reverseRate(message, 'admitted', validation.logId),
      ...reverseLog(message, validation.logId),
    ]);
  }
}

const IF_LOGGED = 'EXISTS (SELECT 1 FROM validation_log WHERE project_id = ? AND id = ?)';

function reverseRate(
  { project, lane, visitor, now, countRate }: SubmissionMessage,
  outcome: NonNullable<SettlementMessage>[0],
  logged: string | null,
): Statement[] {
  if (countRate === 0 || outcome === 'rate-limited' || outcome === 'visitor-limited') return [];
  const second = Math.floor(now / 1_000);
  const condition = logged === null ? '' : ` AND ${IF_LOGGED}`;
  const values = logged === null ? [] : [project, logged];
  return [lane, ...(visitor === null ? [] : [visitor])].flatMap((window) => [
    // The request counts in the first second from its own on in which anything was counted.
    statement(
      `UPDATE rate_bucket SET count = count - 1 WHERE project_id = ? AND lane = ? AND second =
         (SELECT min(second) FROM rate_bucket WHERE project_id = ? AND lane = ? AND second >= ?)${condition}`,
      project,
      window,
      project,
      window,
      second,
      ...values,
    ),
    statement('DELETE FROM rate_bucket WHERE project_id = ? AND lane = ? AND count <= 0', project, window),
    statement(
      `UPDATE rate_total SET total = (SELECT coalesce(sum(count), 0) FROM rate_bucket
         WHERE project_id = ? AND lane = ?) WHERE project_id = ? AND lane = ?`,
      project,
      window,
      project,
      window,
    ),
  ]);
}

function reverseQuota({ project, month }: SubmissionMessage, logged: string): Statement {
  return statement(
    `UPDATE quota SET used = used - 1 WHERE project_id = ? AND month = ? AND used > 0 AND ${IF_LOGGED}`,
    project,
    month,
    project,
    logged,
  );
}

function reverseLog(message: SubmissionMessage, logged: string): Statement[] {
  const { project, live } = message;
  const recommendation = '(SELECT recommendation FROM validation_log WHERE project_id = ? AND id = ?)';
  return [
    ...(live === 1
      ? [reverseUsage(message, recommendation, project, logged), uncountLogged(project, logged, message.now)]
      : []),
    statement(
      `UPDATE log_total SET rows = rows - 1 WHERE project_id = ? AND ${IF_LOGGED}`,
      project,
      project,
      logged,
    ),
    // The log row’s trigger wrote them; see the events schema.
    statement(
      "DELETE FROM delivery WHERE project_id = ? AND log_id = ? AND state = 'pending'",
      project,
      logged,
    ),
    statement('DELETE FROM validation_log WHERE project_id = ? AND id = ?', project, logged),
  ];
}

function reverseUsage({ project, now }: SubmissionMessage, kind: string, ...values: string[]): Statement {
  return statement(
    `UPDATE usage_hour SET count = count - 1 WHERE project_id = ? AND hour = ? AND count > 0 AND kind = ${kind}`,
    project,
    Math.floor(now / HOUR_MS) * HOUR_MS,
    ...values,
  );
}
