import { storableText } from '../database.ts';
import { bucketAt, CLOCK_SKEW_MS, WINDOW_MS } from '../rate-rules.ts';
import type { ProjectChanges, ProjectRows, WantedRows } from '../settle/project-rows.ts';
import { insertDeliveries, WRITTEN_LISTS } from '../settle/written-lists.ts';
import type { Field, Table } from '../table-of.ts';
import { CROWD, DEVICE, INBOX, NEWCOMERS } from '../tables/settle-tables.ts';
import type { PostgresStatement } from './transaction.ts';

/**
 * Locks the project’s row. No other process settles requests of the project until the transaction ends, and the statements
 * after this one see everything that was committed before.
 */
export function lockProjectRow(projectId: string): PostgresStatement {
  return {
    name: 'postern-lock',
    // What is answered is on disk, even if the server’s default is not to wait for it.
    sql: `SELECT version, CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', TRUE) END
      FROM project WHERE id = $1 AND archived_at IS NULL FOR NO KEY UPDATE`,
    values: [projectId],
  };
}

/** The rows of a batch, as one JSON text: reading them one by one takes the driver longer than the server. */
export function loadRows(projectId: string, wanted: WantedRows): PostgresStatement {
  const { now } = wanted;
  return { name: 'postern-load', sql: LOAD, values: [projectId, JSON.stringify(wanted), now, bucketAt(now)] };
}

export function readLoaded(text: string): Omit<ProjectRows, 'project'> {
  return JSON.parse(text) as Omit<ProjectRows, 'project'>;
}

export function saveChanges(projectId: string, changes: ProjectChanges): PostgresStatement {
  // The driver’s statement is the same for every batch, so that the server plans it once.
  const told = changes.log.some(({ mode, recommendation }) => mode === 'live' && recommendation !== 'allow');
  const values = [projectId, storableJson(changes)];
  return told
    ? { name: 'postern-save-told', sql: SAVE_TOLD, values }
    : { name: 'postern-save', sql: SAVE, values };
}

/** NUL and halves of surrogate pairs are the only characters that JSON escapes in this form and PostgreSQL refuses. */
function storableJson(changes: ProjectChanges): string {
  const text = JSON.stringify(changes);
  if (!text.includes('\\u')) return text;
  return JSON.stringify(changes, (_, value) => (typeof value === 'string' ? storableText(value) : value));
}

const among = (list: keyof WantedRows) =>
  `ANY (ARRAY(SELECT json_array_elements_text($2::JSON -> '${list}')))`;

/** The objects of a subselect as a JSON array. */
const list = (object: string, from: string) =>
  `(SELECT coalesce(json_agg(json_build_object(${object})), '[]') FROM ${from})`;

/**
 * Rows by their keys. Each is looked up by itself, in an order that only the primary key has: with a plain `=`, a plan
 * that is made while the table is empty may use another index, and would later read all rows of the project.
 */
const byKey = (object: string, table: string, key: string, wanted: keyof WantedRows) =>
  list(
    object,
    `json_array_elements_text($2::JSON -> '${wanted}') AS w (key) CROSS JOIN LATERAL (SELECT * FROM ${table}
      WHERE project_id = $1 AND ${key} >= w.key AND ${key} <= w.key ORDER BY ${key} LIMIT 1) AS kept`,
  );

function objectOf({ fields }: Pick<Table<unknown>, 'fields'>): string {
  return fields
    .filter(({ column }) => column !== 'project_id')
    .map(({ field, column, type }) => `'${field}', ${column}${type === 'JSON' ? '::JSON' : ''}`)
    .join(', ');
}

const BUCKETS = 'FROM rate_bucket b WHERE b.project_id = $1 AND b.lane = w.lane';

/** See `LaneRow`. `hour_ago` is where the lane’s hour begins. */
const LANES = `json_to_recordset($2::JSON -> 'lanes') AS w (lane TEXT, "limit" BIGINT)
  CROSS JOIN LATERAL (SELECT *, last_at > $3::BIGINT + ${CLOCK_SKEW_MS} AS is_ahead,
      CASE WHEN last_at > $3::BIGINT + ${CLOCK_SKEW_MS} THEN $3::BIGINT ELSE greatest($3::BIGINT, last_at) END
        - ${WINDOW_MS} AS hour_ago
    ${BUCKETS} ORDER BY second DESC LIMIT 1) newest
  LEFT JOIN LATERAL (SELECT second, counted - count AS before, last_at ${BUCKETS}
      AND second >= newest.hour_ago / 1000 AND last_at > newest.hour_ago ORDER BY second LIMIT 1) oldest ON TRUE
  LEFT JOIN LATERAL (SELECT last_at ${BUCKETS} AND newest.counted - oldest.before >= w."limit"
      AND second >= oldest.second AND counted > newest.counted - w."limit" ORDER BY second LIMIT 1) freeing ON TRUE
  LEFT JOIN LATERAL (SELECT counted ${BUCKETS} AND newest.is_ahead AND second < $4::BIGINT
      ORDER BY second DESC LIMIT 1) past ON TRUE`;

const LANE = `'lane', w.lane, 'counted', newest.counted, 'latestAt', newest.last_at, 'second', newest.second,
  'count', newest.count, 'freeingAt', freeing.last_at,
  'oldest', CASE WHEN oldest.second IS NOT NULL THEN
    json_build_object('second', oldest.second, 'before', oldest.before, 'lastAt', oldest.last_at) END,
  'countedBeforeNow', CASE WHEN newest.is_ahead THEN coalesce(past.counted, oldest.before, newest.counted) END`;

const LOAD = `SELECT json_build_object(
  'keys', ${list("'id', id, 'version', version, 'lastUsedAt', last_used_at", `api_key WHERE project_id = $1 AND id = ${among('keys')} AND revoked_at IS NULL`)},
  'lanes', ${list(LANE, LANES)},
  'quotas', ${list("'month', month, 'used', used", `quota WHERE project_id = $1 AND month = ${among('months')}`)},
  'inboxes', ${byKey(objectOf(INBOX), 'inbox', 'inbox', 'inboxes')},
  'devices', ${byKey(objectOf(DEVICE), 'device', 'device', 'devices')},
  'crowds', ${byKey(objectOf(CROWD), 'crowd', 'thing', 'things')},
  'newcomers', ${list(objectOf(NEWCOMERS), 'newcomers WHERE project_id = $1')},
  'answers', ${byKey("'keyHash', key_hash, 'createdAt', created_at", 'idempotent_answer', 'key_hash', 'idempotencyKeys')}
)::TEXT AS rows`;

/** One of the lists as a table of its fields. */
const rowsOf = (name: string, alias: string, columns: readonly Pick<Field, 'field' | 'type'>[]) =>
  `json_to_recordset($2::JSON -> '${name}') AS ${alias} (${columns
    .map(({ field, type }) => `"${field}" ${type === 'BIGINT' ? 'BIGINT' : 'TEXT'}`)
    .join(', ')})`;

const INSERTS = WRITTEN_LISTS.map(({ list: name, table, fields, onConflict }) => {
  const columns = fields.map(({ column }) => column).join(', ');
  const values = fields.map(({ field }) => `c."${field}"`).join(', ');
  return `${name} AS (INSERT INTO ${table} (project_id, ${columns})
    SELECT $1, ${values} FROM ${rowsOf(name, 'c', fields)} ${onConflict})`;
});

const LANE_OF_CHANGE = rowsOf('buckets', 'c', [
  { field: 'lane', type: 'TEXT' },
  { field: 'second', type: 'BIGINT' },
  { field: 'goneBefore', type: 'BIGINT' },
]);

const dropBuckets = (name: string, which: string) =>
  `${name} AS (DELETE FROM rate_bucket b USING ${LANE_OF_CHANGE} WHERE b.project_id = $1 AND b.lane = c.lane AND ${which})`;

const CHANGES = [
  ...INSERTS,
  dropBuckets('gone', 'b.second < c."goneBefore"'),
  dropBuckets('ahead', 'b.second > c.second'),
];

const DELIVERIES = insertDeliveries(
  '$1',
  rowsOf('log', 'l', [
    { field: 'id', type: 'TEXT' },
    { field: 'mode', type: 'TEXT' },
    { field: 'recommendation', type: 'TEXT' },
  ]),
);

const NOTE_USE = `UPDATE api_key k SET last_used_at = c."lastUsedAt"
  FROM ${rowsOf('keys', 'c', [
    { field: 'id', type: 'TEXT' },
    { field: 'lastUsedAt', type: 'BIGINT' },
  ])} WHERE k.project_id = $1 AND k.id = c.id`;

/** All changes in one statement. No two of its parts touch the same row. */
const SAVE = `WITH ${CHANGES.join(', ')} ${NOTE_USE}`;
const SAVE_TOLD = `WITH ${CHANGES.join(', ')}, told AS (${DELIVERIES}) ${NOTE_USE}`;
