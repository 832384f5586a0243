import type { Field } from '../table-of.ts';
import { IDEMPOTENT_ANSWER } from '../tables/answer-table.ts';
import {
  CROWD,
  DEVICE,
  INBOX,
  NEWCOMERS,
  QUOTA,
  RATE_BUCKET,
  STATISTICS_CHANGE,
  VALIDATION_LOG,
} from '../tables/settle-tables.ts';
import { ALL_EVENTS } from '../tables/webhook-table.ts';
import type { ProjectChanges } from './project-rows.ts';

type ListName = Exclude<keyof ProjectChanges, 'keys'>;

interface WrittenList {
  readonly list: ListName;
  readonly table: string;
  readonly fields: readonly Field[];
  /** What happens to a row that is there already. */
  readonly onConflict: string;
}

/** The lists of a batch’s changes whose rows are inserted or replaced, in the same way on both back ends. */
export const WRITTEN_LISTS: readonly WrittenList[] = [
  written('inboxes', INBOX, { key: 'inbox' }),
  written('devices', DEVICE, { key: 'device' }),
  written('crowds', CROWD, { key: 'thing' }),
  written('newcomers', NEWCOMERS, { key: '' }),
  written('log', VALIDATION_LOG, { without: ['review', 'stepped_up'] }),
  written('buckets', RATE_BUCKET, { key: 'lane, second' }),
  // A refund may have changed it meanwhile.
  written('quotas', QUOTA, { key: 'month', assignments: 'used = quota.used + excluded.used' }),
  written('statistics', STATISTICS_CHANGE, {}),
  // The same key can be used again after a day.
  written('answers', IDEMPOTENT_ANSWER, { key: 'key_hash', without: ['answer'], also: 'answer = NULL' }),
];

interface Writing {
  /** The key besides the project; empty for a table with one row of each. Without one, all rows are new. */
  readonly key?: string;
  readonly without?: readonly string[];
  readonly assignments?: string;
  readonly also?: string;
}

function written(
  list: ListName,
  table: { readonly name: string; readonly fields: readonly Field[] },
  { key, without = [], assignments, also }: Writing,
): WrittenList {
  const fields = table.fields.filter(({ column }) => column !== 'project_id' && !without.includes(column));
  const replaced = [
    assignments ??
      fields
        .filter(({ column }) => !key?.split(', ').includes(column))
        .map(({ column }) => `${column} = excluded.${column}`)
        .join(', '),
    ...(also === undefined ? [] : [also]),
  ];
  return {
    list,
    table: table.name,
    fields,
    onConflict:
      key === undefined
        ? ''
        : `ON CONFLICT (${['project_id', key].filter(Boolean).join(', ')}) DO UPDATE SET ${replaced.join(', ')}`,
  };
}

/**
 * Sends flagged and blocked validations to the project’s webhooks, in the transaction that logs them. `logged` is the
 * new rows as a table expression.
 */
export function insertDeliveries(project: string, logged: string): string {
  const type = "CASE l.recommendation WHEN 'flag' THEN 'validation.flagged' ELSE 'validation.blocked' END";
  return `INSERT INTO delivery (project_id, id, webhook_id, event_id, type, log_id, state, attempts, next_at)
    SELECT w.project_id, l.id || '-' || w.id, w.id, l.id, ${type}, l.id, 'pending', 0, 0
    FROM ${logged} CROSS JOIN webhook w
    WHERE w.project_id = ${project} AND w.disabled_at IS NULL AND l.mode = 'live' AND l.recommendation <> 'allow'
      AND (w.events = '${ALL_EVENTS}' OR replace(w.events, ' ' || ${type} || ' ', '') <> w.events)`;
}
