import type { Recommendation } from '@postern/contract';
import { type Database, integer, integerOrNull, type Row, statement, text, textOrNull } from '../database.ts';
import type { OutcomeStore, PersonOutcome, ValidationMarks } from '../outcome-store.ts';
import { timePrefix } from '../timed-id.ts';
import { takeBackVerdicts } from './take-back-verdicts.ts';
import { type Dialect, writeOutcomes } from './write-outcomes.ts';

const ROWS_AT_ONCE = 2_000;

export function outcomeTable(database: Database, dialect: Dialect): OutcomeStore {
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
      if (outcomes.length > 0) await database.write(writeOutcomes(dialect, projectId, outcomes));
    },
    takeBack: (projectId, verdicts) => takeBackVerdicts(database, projectId, verdicts),
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
