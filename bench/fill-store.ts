/**
 * Fills a store with people in bulk, as if each had signed up once within the last weeks: an inbox, a device and a log row,
 * and for some of them an outcome. The log rows are copies of the project’s own rows, with other people in them.
 */
import { DAY_MS } from '@postern/contract';
import { SLOT_MS } from '../packages/service/dist/store/statistics/statistics-words.js';
import { VALIDATION_LOG } from '../packages/service/dist/store/tables/settle-tables.js';

type BackEnd = 'sqlite' | 'postgres';

/** Runs statements that are separated by semicolons, on one connection. */
type Run = (sql: string) => Promise<void>;

export interface FillOptions {
  readonly backEnd: BackEnd;
  readonly projectId: string;
  readonly people: number;
  /** Milliseconds since 1970 of the first and the last person. */
  readonly from: number;
  readonly to: number;
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

export async function fillStore(run: Run, options: FillOptions): Promise<void> {
  for (const part of [templates, people, log, memory, outcomes, statistics]) await run(part(options));
}

/** A number in base 36, as IDs begin with their time. */
function base36(number: string, length: number): string {
  const digits = Array.from(
    { length },
    (_, place) =>
      `substr('${DIGITS}', CAST(${number} / ${36 ** (length - 1 - place)} % 36 AS INTEGER) + 1, 1)`,
  );
  return digits.join(' || ');
}

/** The columns that each person’s row has for itself. */
const OWN = ['project_id', 'id', 'at', 'request_id', 'inbox', 'device'];
const COPIED = VALIDATION_LOG.list.split(', ').filter((name) => name !== 'review' && !OWN.includes(name));

function templates({ projectId }: FillOptions): string {
  return `CREATE TEMPORARY TABLE template AS
    SELECT row_number() OVER (ORDER BY id) - 1 AS n, ${COPIED.join(', ')}
    FROM validation_log WHERE project_id = '${projectId}';`;
}

function people({ backEnd, people: count, from, to }: FillOptions): string {
  const random = (seed: string, length: number) =>
    backEnd === 'sqlite'
      ? `substr(lower(hex(randomblob(16))), 1, ${length})`
      : `substr(md5('${seed}' || i || random()), 1, ${length})`;
  const numbers =
    backEnd === 'sqlite'
      ? `WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count}) SELECT i FROM n`
      : `SELECT CAST(i AS BIGINT) AS i FROM generate_series(0, ${count - 1}) AS n (i)`;
  const step = Math.max(1, Math.floor((to - from) / count));
  return `CREATE TEMPORARY TABLE person AS
    SELECT i, ${from} + i * ${step} AS at, ${random('inbox', 22)} AS inbox, ${random('device', 22)} AS device,
      ${random('network', 22)} AS network, ${base36('i', 12)} AS request
    FROM (${numbers}) numbers;
    CREATE INDEX person_by_number ON person (i);`;
}

/** How many rows of the log one statement writes. */
const LOG_ROWS = 100_000;

function log({ projectId, people: count }: FillOptions): string {
  const parts = Array.from({ length: Math.ceil(count / LOG_ROWS) }, (_, part) => [
    part * LOG_ROWS,
    (part + 1) * LOG_ROWS,
  ]);
  return parts
    .map(
      ([first, next]) => `INSERT INTO validation_log (${OWN.join(', ')}, ${COPIED.join(', ')})
    SELECT '${projectId}', ${base36('p.at', 9)} || ${base36('p.i', 5)} || 'bench00000', p.at,
      'aaaaaaaa-bbbb-4ccc-8ddd-' || p.request, p.inbox, p.device, ${COPIED.map((column) => `t.${column}`).join(', ')}
    FROM person p JOIN template t ON t.n = p.i % (SELECT count(*) FROM template)
    WHERE p.i >= ${first} AND p.i < ${next} ORDER BY p.i;`,
    )
    .join('\n');
}

function memory({ projectId }: FillOptions): string {
  return `INSERT INTO device (project_id, device, inboxes, oldest_day)
      SELECT '${projectId}', device, '[["' || inbox || '",' || at || ',' || at || ',1,0,1,"' || network || '","",4,1,68]]',
      at / ${DAY_MS} FROM person ORDER BY device;
    INSERT INTO inbox (project_id, inbox, spelling, last_seen, first_seen, devices, joined_at, things, oldest_day)
      SELECT '${projectId}', inbox, inbox, at, at, '[["' || device || '",' || at || ']]', at, '[]', at / ${DAY_MS}
      FROM person ORDER BY inbox;`;
}

/** A tenth signed up, and of a hundredth the outcome is known: a quarter of these are bad. */
function outcomes({ projectId }: FillOptions): string {
  return `INSERT INTO outcome (project_id, inbox, accepted_at, judgement, decided_at, seen_at)
    SELECT '${projectId}', inbox, at, CASE WHEN i % 400 = 0 THEN 'bad' WHEN i % 100 = 0 THEN 'good' END,
      CASE WHEN i % 100 = 0 THEN at END, at
    FROM person WHERE i % 10 = 0 ORDER BY inbox;`;
}

/** The line that a log row adds to the statistics, see `validationLine`. */
const LINE_OF_ROW = `recommendation || ' domain:' || domain || coalesce(' country:' || country, '') || words
  || 'key:' || key_id || rules || lists`;

/** What the copied rows have left in the statistics is deleted first. */
function statistics({ backEnd, projectId }: FillOptions): string {
  const [join, newline] = backEnd === 'sqlite' ? ['group_concat', 'char(10)'] : ['string_agg', 'chr(10)'];
  return `DELETE FROM statistics; DELETE FROM statistics_change;
    INSERT INTO statistics_change (project_id, id, at, lines)
      SELECT '${projectId}', 'bench-' || slot, slot, ${join}(number || ' ' || words, ${newline}) FROM (
        SELECT p.at / ${SLOT_MS} * ${SLOT_MS} AS slot, count(*) AS number,
          ${LINE_OF_ROW} AS words
        FROM person p JOIN template t ON t.n = p.i % (SELECT count(*) FROM template) GROUP BY 1, 3
      ) lines GROUP BY slot;`;
}
