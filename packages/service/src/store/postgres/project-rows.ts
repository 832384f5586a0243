import { storableText } from '../database.ts';
import { bucketAt, CLOCK_SKEW_MS, WINDOW_MS } from '../rate-rules.ts';
import type { ProjectChanges, ProjectRows, WantedRows } from '../settle/project-rows.ts';
import { insertDeliveries, WRITTEN_LISTS } from '../settle/written-lists.ts';
import type { Table } from '../table-of.ts';
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
  const lists = WANTED_LISTS.map((name) => JSON.stringify(wanted[name]));
  return { name: 'postern-load', sql: LOAD, values: [projectId, now, bucketAt(now), ...lists] };
}

export function readLoaded(text: string): Omit<ProjectRows, 'project'> {
  return JSON.parse(text) as Omit<ProjectRows, 'project'>;
}

export function saveChanges(projectId: string, changes: ProjectChanges): PostgresStatement {
  const told = changes.log.filter(
    ({ mode, recommendation }) => mode === 'live' && recommendation !== 'allow',
  );
  const lists = { ...changes, told };
  // The driver’s statement is the same for every batch, so that the server plans it once.
  return {
    name: 'postern-save',
    sql: SAVE,
    values: [projectId, ...SAVED_LISTS.map((name) => storableJson(lists[name]))],
  };
}

/** NUL and halves of surrogate pairs are the only characters that JSON escapes in this form and PostgreSQL refuses. */
function storableJson(rows: readonly unknown[]): string {
  const text = JSON.stringify(rows);
  if (!text.includes('\\u')) return text;
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? storableText(value) : value));
}

/** Each list is a parameter of its own: the server would read one text of all lists again for each of them. */
const WANTED_LISTS = ['keys', 'lanes', 'months', 'inboxes', 'devices', 'things', 'idempotencyKeys'] as const;
type WantedList = (typeof WANTED_LISTS)[number];

const wantedList = (name: WantedList) => `$${WANTED_LISTS.indexOf(name) + 4}::JSON`;

const among = (name: WantedList) => `ANY (ARRAY(SELECT json_array_elements_text(${wantedList(name)})))`;

/** The objects of a subselect as a JSON array. */
const list = (object: string, from: string) =>
  `(SELECT coalesce(json_agg(json_build_object(${object})), '[]') FROM ${from})`;

/**
 * Rows by their keys. Each is looked up by itself, in an order that only the primary key has: with a plain `=`, a plan
 * that is made while the table is empty may use another index, and would later read all rows of the project.
 */
const byKey = (object: string, table: string, key: string, wanted: WantedList) =>
  list(
    object,
    `json_array_elements_text(${wantedList(wanted)}) AS w (key) CROSS JOIN LATERAL (SELECT * FROM ${table}
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
const LANES = `json_to_recordset(${wantedList('lanes')}) AS w (lane TEXT, "limit" BIGINT)
  CROSS JOIN LATERAL (SELECT *, last_at > $2::BIGINT + ${CLOCK_SKEW_MS} AS is_ahead,
      CASE WHEN last_at > $2::BIGINT + ${CLOCK_SKEW_MS} THEN $2::BIGINT ELSE greatest($2::BIGINT, last_at) END
        - ${WINDOW_MS} AS hour_ago
    ${BUCKETS} ORDER BY second DESC LIMIT 1) newest
  LEFT JOIN LATERAL (SELECT second, counted - count AS before, last_at ${BUCKETS}
      AND second >= newest.hour_ago / 1000 AND last_at > newest.hour_ago ORDER BY second LIMIT 1) oldest ON TRUE
  LEFT JOIN LATERAL (SELECT last_at ${BUCKETS} AND newest.counted - oldest.before >= w."limit"
      AND second >= oldest.second AND counted > newest.counted - w."limit" ORDER BY second LIMIT 1) freeing ON TRUE
  LEFT JOIN LATERAL (SELECT counted ${BUCKETS} AND newest.is_ahead AND second < $3::BIGINT
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

/** Each list is a parameter of its own, as above. */
const SAVED_LISTS = [...WRITTEN_LISTS.map(({ list }) => list), 'keys', 'told'] as const;
type SavedList = (typeof SAVED_LISTS)[number];

/** One of the lists as a table of its fields. */
const rowsOf = (name: SavedList, alias: string, columns: string) =>
  `json_to_recordset($${SAVED_LISTS.indexOf(name) + 2}::JSON) AS ${alias} (${columns})`;

const INSERTS = WRITTEN_LISTS.map(({ list: name, table, fields, onConflict }) => {
  const columns = fields.map(({ column }) => column).join(', ');
  const values = fields.map(({ field }) => `c."${field}"`).join(', ');
  const typed = fields.map(({ field, type }) => `"${field}" ${type === 'BIGINT' ? 'BIGINT' : 'TEXT'}`);
  return `${name} AS (INSERT INTO ${table} (project_id, ${columns})
    SELECT $1, ${values} FROM ${rowsOf(name, 'c', typed.join(', '))} ${onConflict})`;
});

const LANE_OF_CHANGE = rowsOf('buckets', 'c', 'lane TEXT, second BIGINT, "goneBefore" BIGINT');

const dropBuckets = (name: string, which: string) =>
  `${name} AS (DELETE FROM rate_bucket b USING ${LANE_OF_CHANGE} WHERE b.project_id = $1 AND b.lane = c.lane AND ${which})`;

const CHANGES = [
  ...INSERTS,
  dropBuckets('gone', 'b.second < c."goneBefore"'),
  dropBuckets('ahead', 'b.second > c.second'),
  `deliveries AS (${insertDeliveries('$1', rowsOf('told', 'l', 'id TEXT, mode TEXT, recommendation TEXT'))})`,
];

/** All changes in one statement. No two of its parts touch the same row. */
const SAVE = `WITH ${CHANGES.join(', ')} UPDATE api_key k SET last_used_at = c."lastUsedAt"
  FROM ${rowsOf('keys', 'c', 'id TEXT, "lastUsedAt" BIGINT')} WHERE k.project_id = $1 AND k.id = c.id`;
