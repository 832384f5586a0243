import type { History } from '../../model/history.ts';
import { historyWords, inHistory, recommendationOf } from '../log-words.ts';
import type { PackedHistory } from '../packed-history.ts';
import { validationLine } from '../statistics/statistics-words.ts';
import type { SubmissionMessage, ValidationMessage } from '../submission-message.ts';
import type { Connection } from './connection.ts';
import { multiRowInsert, valuesByShared } from './multi-row-insert.ts';

/** The same for most rows of a batch. In the order in which `add` gives them. */
const SHARED = ['project_id', 'key_id', 'mode', 'recommendation', 'rules', 'lists'];
/** In the order in which `add` gives their values. */
const COLUMNS = [
  'id',
  'at',
  'request_id',
  'inbox',
  'device',
  'domain',
  'shape',
  'network',
  'country',
  'asn',
  'words',
  'history',
  'details',
];

/** The log rows of a batch, written together when it ends. */
export function validationLog(connection: Connection) {
  const append = multiRowInsert(connection, 'validation_log', COLUMNS, [], SHARED);
  let rows = valuesByShared();
  const clear = () => {
    rows = valuesByShared();
  };

  return {
    /** Adds a validation under this history. Returns its line for the statistics. */
    add(
      { project, key, live }: SubmissionMessage,
      validation: ValidationMessage,
      history: History,
      packed: PackedHistory,
    ): string {
      const [id, at, requestId, domain, shape, network, country, asn] = validation.log;
      const recommendation = recommendationOf(validation.recommendations, history);
      const rules = inHistory(validation.rules, history);
      const lists = inHistory(validation.lists, history);
      const words = validation.words + historyWords(validation.effects, history);
      rows
        .of(project, key, live === 1 ? 'live' : 'test', recommendation, rules, lists)
        .push(
          id,
          at,
          requestId,
          validation.inbox,
          validation.device,
          domain,
          shape,
          network,
          country,
          asn,
          words,
          JSON.stringify(packed),
          validation.details,
        );
      return validationLine({ recommendation, domain, country, keyId: key, words, rules, lists });
    },
    save(): void {
      for (const [shared, values] of rows.lists()) append(shared, values);
      clear();
    },
    clear,
  };
}
