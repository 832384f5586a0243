import type { Recommendation } from '@postern/contract';
import { type Database, integer, integerOrNull, type Row, statement, text, textOrNull } from '../database.ts';
import type { OutcomeStore, PersonOutcome, ValidationMarks } from '../outcome-store.ts';
import { RESULTS_START } from '../statistics/statistics-words.ts';
import { timeOfId, timePrefix } from '../timed-id.ts';
import { rowsAtMoments } from './rows-at-moments.ts';
import { takeBackVerdicts } from './take-back-verdicts.ts';
import { type Dialect, writeOutcomes } from './write-outcomes.ts';

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
      const columns = 'id, recommendation, marks';
      const rows = await database.browse(rowsAtMoments(dialect, projectId, columns, moments));
      return rows.flatMap(marksReader());
    },
    validations: (projectId, from, to) => validations(database, projectId, from, to),
    async deleteBefore(time) {
      await database.write([statement('DELETE FROM outcome WHERE seen_at < ?', time)]);
    },
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
  const read = marksReader();
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
    yield rows.flatMap(read);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    before = text(last, 'id');
  }
}

const INBOX = / inbox:(\S*)/;

/**
 * Reads rows as validations; nothing for a test key’s validation, because it is not about a real person. The checks
 * and signals are at the end of the marks, and most rows have the same ones, so each different suffix is read once.
 */
function marksReader(): (row: Row) => ValidationMarks[] {
  const resultsBySuffix = new Map<string, Pick<ValidationMarks, 'checks' | 'signals'>>();
  return (row) => {
    const marks = text(row, 'marks');
    if (marks.startsWith(' mode:test ')) return [];
    const suffix = marks.slice(Math.max(0, marks.indexOf(RESULTS_START)));
    let results = resultsBySuffix.get(suffix);
    if (results === undefined) {
      const words = suffix.split(' ');
      results = { checks: valuesOf(words, 'check:'), signals: valuesOf(words, 'signal:') };
      resultsBySuffix.set(suffix, results);
    }
    return [
      {
        at: timeOfId(text(row, 'id')),
        inbox: INBOX.exec(marks)?.[1] ?? '',
        recommendation: text(row, 'recommendation') as Recommendation,
        ...results,
      },
    ];
  };
}

function valuesOf(words: readonly string[], kind: string): string[] {
  return words.filter((word) => word.startsWith(kind)).map((word) => word.slice(kind.length));
}
