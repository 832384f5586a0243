import type { History } from '../../model/history.ts';
import { historyWords, inHistory, recommendationOf } from '../log-words.ts';
import { packHistory } from '../packed-history.ts';
import { validationLine } from '../statistics/statistics-words.ts';
import type { SubmissionMessage, ValidationMessage } from '../submission-message.ts';
import type { Connection } from './connection.ts';
import { multiRowInsert, valuesByProject } from './multi-row-insert.ts';

/** In the order in which `add` gives their values. */
const COLUMNS = [
  'id',
  'at',
  'request_id',
  'mode',
  'key_id',
  'inbox',
  'device',
  'domain',
  'shape',
  'network',
  'country',
  'asn',
  'recommendation',
  'rules',
  'lists',
  'words',
  'history',
  'details',
];

/** The log rows of a batch, written together when it ends. */
export function validationLog(connection: Connection) {
  const append = multiRowInsert(connection, 'validation_log', COLUMNS);
  let rows = valuesByProject();
  const clear = () => {
    rows = valuesByProject();
  };

  return {
    /** Adds a validation under this history. Returns its line for the statistics. */
    add({ project, key, live }: SubmissionMessage, validation: ValidationMessage, history: History): string {
      const [id, at, requestId, domain, shape, network, country, asn] = validation.log;
      const recommendation = recommendationOf(validation.recommendations, history);
      const rules = inHistory(validation.rules, history);
      const lists = inHistory(validation.lists, history);
      const words = validation.words + historyWords(validation.effects, history);
      rows
        .of(project)
        .push(
          id,
          at,
          requestId,
          live === 1 ? 'live' : 'test',
          key,
          validation.inbox,
          validation.device,
          domain,
          shape,
          network,
          country,
          asn,
          recommendation,
          rules,
          lists,
          words,
          JSON.stringify(packHistory(history)),
          validation.details,
        );
      return validationLine({ recommendation, domain, country, keyId: key, words, rules, lists });
    },
    save(): void {
      for (const [project, values] of rows.projects) append(project, values);
      clear();
    },
    clear,
  };
}
