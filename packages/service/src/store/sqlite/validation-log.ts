import type { Recommendation } from '@postern/contract';
import type { History } from '../../model/history.ts';
import { historyMarks, packHistory } from '../log-record.ts';
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
    /** Notes a validation; answers the recommendation that history left it with. */
    add(project: string, validation: ValidationMessage, history: History): Recommendation {
      const index = (history.device?.overThreshold ? 2 : 0) + (history.inboxReused ? 1 : 0);
      const recommendation = validation.outcomes[index] ?? 'allow';
      const added = historyMarks(history, validation.aliasRuns === 1, validation.deviceRuns === 1);
      rows
        .of(project)
        .push(
          validation.logId,
          recommendation,
          validation.marks + added,
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
