import type { Recommendation } from '@postern/contract';
import type { History } from '../../model/history.ts';
import { type Database, statement } from '../database.ts';
import { historyMarks, packHistory, recommendationOf } from '../log-record.ts';
import type { ValidationMessage } from '../submission-message.ts';
import type { SweepSteps } from '../sweep-project.ts';
import type { Connection } from './connection.ts';
import { multiRowInsert, valuesByProject } from './multi-row-insert.ts';

interface Logged {
  readonly recommendation: Recommendation;
  readonly marks: string;
}

/** The log rows of a batch, written together when it ends. */
export function validationLog(connection: Connection) {
  const append = multiRowInsert(connection, 'validation_log', [
    'id',
    'recommendation',
    'marks',
    'history',
    'facts',
  ]);
  let rows = valuesByProject();
  const clear = () => {
    rows = valuesByProject();
  };

  return {
    /** Adds a validation; returns its recommendation and its marks under this history. */
    add(project: string, validation: ValidationMessage, history: History): Logged {
      const recommendation = recommendationOf(validation.outcomes, history);
      const marks = validation.marks + historyMarks(validation.effects, history);
      rows
        .of(project)
        .push(
          validation.logId,
          recommendation,
          marks,
          JSON.stringify(packHistory(history)),
          validation.facts,
        );
      return { recommendation, marks };
    },
    save(): void {
      for (const [project, values] of rows.projects) append(project, values);
      clear();
    },
    clear,
  };
}

/** Drops the oldest rows of the log and corrects their total, in one transaction. */
export function logDropping(database: Database): SweepSteps['dropLog'] {
  const oldest = 'SELECT id FROM validation_log WHERE project_id = ?1';
  const due = `${oldest} AND id < ?2 ORDER BY id LIMIT ?3`;
  const surplus = `${oldest} ORDER BY id
    LIMIT max(0, min(?3, (SELECT rows FROM log_total WHERE project_id = ?1) - ?2))`;
  return async (project, which, limit) => {
    const [ids, bound] = 'before' in which ? [due, which.before] : [surplus, which.allBut];
    const [dropped] = await database.write([
      statement(
        `DELETE FROM validation_log WHERE project_id = ?1 AND id IN (${ids}) RETURNING 1 AS one`,
        project,
        bound,
        limit,
      ),
      statement('UPDATE log_total SET rows = rows - changes() WHERE project_id = ?', project),
    ]);
    return dropped?.length ?? 0;
  };
}
