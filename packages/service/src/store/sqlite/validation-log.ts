import type { Recommendation } from '@postern/contract';
import type { History } from '../../model/history.ts';
import { historyMarks, packHistory, recommendationOf } from '../log-record.ts';
import type { ValidationMessage } from '../submission-message.ts';
import type { Connection } from './connection.ts';
import { multiRowInsert, valuesByProject } from './multi-row-insert.ts';

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
  const forget = () => {
    rows = valuesByProject();
  };

  return {
    /** Adds a validation; returns its recommendation under this history. */
    add(project: string, validation: ValidationMessage, history: History): Recommendation {
      const recommendation = recommendationOf(validation.outcomes, history);
      rows
        .of(project)
        .push(
          validation.logId,
          recommendation,
          validation.marks + historyMarks(validation.effects, history),
          JSON.stringify(packHistory(history)),
          validation.facts,
        );
      return recommendation;
    },
    save(): void {
      for (const [project, values] of rows.projects) append(project, values);
      forget();
    },
    forget,
  };
}
