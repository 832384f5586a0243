import type { Recommendation } from '@postern/contract';
import {
  type Database,
  integer,
  integerOrNull,
  type Row,
  type Statement,
  statement,
  text,
  textOrNull,
} from '../database.ts';
import type { OutcomeStore, PersonOutcome, RecordedOutcome, ValidationMarks } from '../outcome-store.ts';
import { SLOT_MS } from '../statistics/statistics-words.ts';
import { timePrefix } from '../timed-id.ts';
import { ALWAYS, type Condition } from './condition.ts';
import { changeId, countWords } from './statistics-table.ts';

const ROWS_AT_ONCE = 2_000;

export function outcomeTable(database: Database): OutcomeStore {
  return {
    async knownInboxes(projectId, inboxes) {
      if (inboxes.length === 0) return new Map();
      const places = inboxes.map(() => '?').join(', ');
      const rows = await database.read(
        statement(
          `SELECT inbox, last_seen FROM inbox WHERE project_id = ? AND inbox IN (${places})`,
          projectId,
          ...inboxes,
        ),
      );
      return new Map(rows.map((row) => [text(row, 'inbox'), integer(row, 'last_seen')]));
    },
    async record(projectId, outcomes) {
      if (outcomes.length > 0) await database.write(outcomes.flatMap((one) => recordOutcome(projectId, one)));
    },
    async find(projectId, inbox) {
      const [row] = await database.browse(
        statement(`SELECT * FROM outcome WHERE project_id = ? AND inbox = ?`, projectId, inbox),
      );
      return row && toPersonOutcome(row);
    },
    async all(projectId, limit) {
      const rows = await database.browse(
        statement('SELECT * FROM outcome WHERE project_id = ? ORDER BY inbox LIMIT ?', projectId, limit),
      );
      return new Map(rows.map((row) => [text(row, 'inbox'), toPersonOutcome(row)]));
    },
    validations: (projectId, from, to) => validations(database, projectId, from, to),
    async tidy(before) {
      await database.write([statement('DELETE FROM outcome WHERE seen_at < ?', before)]);
    },
  };
}

/** The later of two verdicts counts, and the first of two sign-ups. */
export function recordOutcome(
  projectId: string,
  { inbox, outcome, reason, at, seenAt }: RecordedOutcome,
  condition: Condition = ALWAYS,
): Statement[] {
  const verdict = outcome === 'accepted' ? null : outcome;
  const newer =
    'excluded.verdict IS NOT NULL AND (outcome.decided_at IS NULL OR excluded.decided_at >= outcome.decided_at)';
  const record = statement(
    `INSERT INTO outcome (project_id, inbox, accepted_at, verdict, reason, decided_at, seen_at)
     SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT),
       CAST(? AS BIGINT), CAST(? AS BIGINT) WHERE ${condition.sql}
     ON CONFLICT (project_id, inbox) DO UPDATE SET
       accepted_at = CASE WHEN outcome.accepted_at IS NULL OR excluded.accepted_at < outcome.accepted_at
         THEN excluded.accepted_at ELSE outcome.accepted_at END,
       verdict = CASE WHEN ${newer} THEN excluded.verdict ELSE outcome.verdict END,
       reason = CASE WHEN ${newer} THEN excluded.reason ELSE outcome.reason END,
       decided_at = CASE WHEN ${newer} THEN excluded.decided_at ELSE outcome.decided_at END,
       seen_at = CASE WHEN excluded.seen_at > outcome.seen_at THEN excluded.seen_at ELSE outcome.seen_at END`,
    projectId,
    inbox,
    verdict === null ? at : null,
    verdict,
    verdict === null ? null : reason,
    verdict === null ? null : at,
    seenAt,
    ...condition.values,
  );
  return [...countOutcome(projectId, inbox, outcome, at, condition), record];
}

/**
 * The sums of outcomes, which are kept longer than the outcomes. They are counted before the outcome is recorded: a
 * verdict takes the place of an earlier one, and a sign-up counts once.
 */
function countOutcome(
  projectId: string,
  inbox: string,
  outcome: RecordedOutcome['outcome'],
  at: number,
  condition: Condition,
): Statement[] {
  const among = (known: string): Condition => ({
    sql: `${condition.sql} AND NOT EXISTS (SELECT 1 FROM outcome WHERE project_id = ? AND inbox = ? AND ${known})`,
    values: [...condition.values, projectId, inbox],
  });
  if (outcome === 'accepted')
    return [countWords(projectId, at, '1 outcome:accepted', among('accepted_at IS NOT NULL'))];
  const replaced = statement(
    `INSERT INTO statistics_change (project_id, id, at, lines)
     SELECT project_id, CAST(? AS TEXT), decided_at / ${SLOT_MS} * ${SLOT_MS}, '-1 outcome:' || verdict
     FROM outcome WHERE project_id = ? AND inbox = ? AND verdict IS NOT NULL AND decided_at <= ? AND ${condition.sql}`,
    changeId(),
    projectId,
    inbox,
    at,
    ...condition.values,
  );
  const newer = among('decided_at > ?');
  return [
    replaced,
    countWords(projectId, at, `1 outcome:${outcome}`, { sql: newer.sql, values: [...newer.values, at] }),
  ];
}

function toPersonOutcome(row: Row): PersonOutcome {
  return {
    acceptedAt: integerOrNull(row, 'accepted_at'),
    verdict: textOrNull(row, 'verdict') as PersonOutcome['verdict'],
    reason: textOrNull(row, 'reason'),
    decidedAt: integerOrNull(row, 'decided_at'),
  };
}

async function* validations(
  database: Database,
  projectId: string,
  from: number,
  to: number,
): AsyncGenerator<readonly ValidationMarks[]> {
  const first = timePrefix(from);
  let before = timePrefix(to);
  for (;;) {
    const rows = await database.browse(
      statement(
        `SELECT id, recommendation, marks FROM validation_log WHERE project_id = ? AND id >= ? AND id < ?
         ORDER BY id DESC LIMIT ${ROWS_AT_ONCE}`,
        projectId,
        first,
        before,
      ),
    );
    yield rows.flatMap(toValidationMarks);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    before = text(last, 'id');
  }
}

/** Nothing for a test key’s validation, because it is not about a real person. */
function toValidationMarks(row: Row): ValidationMarks[] {
  const words = text(row, 'marks').split(' ');
  if (words.includes('mode:test')) return [];
  const named = (kind: string) =>
    words.filter((word) => word.startsWith(kind)).map((word) => word.slice(kind.length));
  return [
    {
      inbox: named('inbox:')[0] ?? '',
      recommendation: text(row, 'recommendation') as Recommendation,
      checks: named('check:'),
      signals: named('signal:'),
    },
  ];
}
