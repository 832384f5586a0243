import type { Recommendation } from '@postern/contract';
import { type Database, integer, integerOrNull, type Row, statement, text, textOrNull } from '../database.ts';
import { wordsReader } from '../log-words.ts';
import type { Dialect } from '../migrations/dialect.ts';
import type { OutcomeStore, PersonOutcome, ValidationMarks } from '../outcome-store.ts';
import { timePrefix } from '../timed-id.ts';
import { rowsAtMoments } from './rows-at-moments.ts';
import { takeBackVerdicts } from './take-back-verdicts.ts';
import { writeOutcomes } from './write-outcomes.ts';

const ROWS_AT_ONCE = 2_000;
const INBOXES_AT_ONCE = 500;

export function outcomeTable(database: Database, dialect: Dialect): OutcomeStore {
  return {
    async knownInboxes(projectId, inboxes) {
      if (inboxes.length === 0) return new Map();
      const placeholders = inboxes.map(() => '?').join(', ');
      const rows = await database.read(
        statement(
          `SELECT inbox, last_seen FROM inbox WHERE project_id = ? AND inbox IN (${placeholders})`,
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
    async findMany(projectId, inboxes) {
      const found = new Map<string, PersonOutcome>();
      for (const chunk of chunks(inboxes)) {
        const rows = await database.browse(
          statement(
            `SELECT * FROM outcome WHERE project_id = ? AND inbox IN (${chunk.map(() => '?').join(', ')})`,
            projectId,
            ...chunk,
          ),
        );
        for (const row of rows) found.set(text(row, 'inbox'), toPersonOutcome(row));
      }
      return found;
    },
    async latestJudged(projectId, limit) {
      const rows = await database.browse(
        statement(
          `SELECT * FROM outcome WHERE project_id = ? AND verdict IS NOT NULL ORDER BY seen_at DESC LIMIT ?`,
          projectId,
          limit,
        ),
      );
      return new Map(rows.map((row) => [text(row, 'inbox'), toPersonOutcome(row)]));
    },
    async moments(projectId, inboxes) {
      const found = new Map<string, number[]>();
      for (const chunk of chunks(inboxes)) {
        const these = `project_id = ? AND inbox IN (${chunk.map(() => '?').join(', ')})`;
        const remembered = await Promise.all(
          [
            `SELECT inbox, seen_at FROM outcome WHERE ${these}`,
            `SELECT inbox, kept_since, last_seen, other_seen FROM inbox WHERE ${these}`,
          ].map((sql) => database.browse(statement(sql, projectId, ...chunk))),
        );
        for (const { inbox, ...times } of remembered.flat()) {
          const moments = Object.values(times).filter((time) => typeof time === 'number');
          found.set(String(inbox), [...(found.get(String(inbox)) ?? []), ...moments]);
        }
      }
      return found;
    },
    async validationsAt(projectId, moments) {
      if (moments.length === 0) return [];
      const rows = await database.browse(rowsAtMoments(dialect, projectId, READ_COLUMNS, moments));
      return rows.filter((row) => row.mode === 'live').map(validationReader());
    },
    validations: (projectId, from, to) => validations(database, projectId, from, to),
  };
}

function* chunks(inboxes: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < inboxes.length; at += INBOXES_AT_ONCE) yield inboxes.slice(at, at + INBOXES_AT_ONCE);
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
  const read = validationReader();
  const first = timePrefix(from);
  let before = timePrefix(to);
  for (;;) {
    const rows = await database.browse(
      statement(
        `SELECT ${READ_COLUMNS} FROM validation_log WHERE project_id = ? AND id >= ? AND id < ? AND mode = 'live'
         ORDER BY id DESC LIMIT ${ROWS_AT_ONCE}`,
        projectId,
        first,
        before,
      ),
    );
    yield rows.map(read);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    before = text(last, 'id');
  }
}

/** Test keys’ validations are not about real people, so they are left out. */
const READ_COLUMNS = 'id, at, mode, inbox, recommendation, words';

function validationReader(): (row: Row) => ValidationMarks {
  const read = wordsReader();
  return (row) => {
    const { failed, signals } = read(text(row, 'words'));
    return {
      at: integer(row, 'at'),
      inbox: text(row, 'inbox'),
      recommendation: text(row, 'recommendation') as Recommendation,
      checks: failed,
      signals,
    };
  };
}
