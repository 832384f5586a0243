/**
 * Fills a store with people in bulk, as if each had signed up once within the last weeks: an inbox, a device and a log row,
 * and for some of them an outcome. The log rows are copies of the project’s own rows, with other people in them.
 */
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
const HOUR = 3_600_000;
const HALF_HOUR = 1_800_000;
const HASH_LENGTH = 22;

export async function fillStore(run: Run, options: FillOptions): Promise<void> {
  for (const part of [templates, people, log, memory, outcomes, counts, statistics]) await run(part(options));
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

function templates({ backEnd, projectId }: FillOptions): string {
  const find = backEnd === 'sqlite' ? 'instr' : 'strpos';
  const marked = (name: string) =>
    `substr(marks, ${find}(marks, ' ${name}:') + ${name.length + 2}, ${HASH_LENGTH})`;
  return `CREATE TEMPORARY TABLE template AS
    SELECT row_number() OVER (ORDER BY id) - 1 AS n, recommendation, marks, history, facts,
      ${marked('inbox')} AS inbox, ${marked('device')} AS device, substr(facts, 15, 36) AS request
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

/** How many rows of the log one statement writes. SQLite first copies them to memory, because the log has a trigger. */
const LOG_ROWS = 100_000;

function log({ projectId, people: count }: FillOptions): string {
  const renamed = (column: string) => `replace(replace(t.${column}, t.inbox, p.inbox), t.device, p.device)`;
  const request = `substr(t.request, 1, length(t.request) - 12) || p.request`;
  const parts = Array.from({ length: Math.ceil(count / LOG_ROWS) }, (_, part) => [
    part * LOG_ROWS,
    (part + 1) * LOG_ROWS,
  ]);
  return parts
    .map(
      ([first, next]) => `INSERT INTO validation_log (project_id, id, recommendation, marks, history, facts)
    SELECT '${projectId}', ${base36('p.at', 9)} || ${base36('p.i', 5)} || 'bench00000', t.recommendation,
      ${renamed('marks')}, t.history, replace(${renamed('facts')}, t.request, ${request})
    FROM person p JOIN template t ON t.n = p.i % (SELECT count(*) FROM template)
    WHERE p.i >= ${first} AND p.i < ${next} ORDER BY p.i;`,
    )
    .join('\n');
}

function memory({ backEnd, projectId }: FillOptions): string {
  if (backEnd === 'sqlite') {
    return `INSERT INTO device (project_id, device, inboxes, networks, first_seen, last_seen, oldest_seen, inbox_list,
        network_list) SELECT '${projectId}', device, 1, 1, at, at, at, '[["' || inbox || '",' || at || ',' || at || ',1]]',
        '[["' || network || '",' || at || ']]' FROM person ORDER BY device;
      INSERT INTO inbox (project_id, inbox, spelling, last_seen, kept_since, devices)
        SELECT '${projectId}', inbox, inbox, at, at, '["' || device || '"]' FROM person ORDER BY inbox;`;
  }
  return `INSERT INTO device (project_id, device, inboxes, networks, first_seen, last_seen, oldest_seen)
      SELECT '${projectId}', device, 1, 1, at, at, at FROM person ORDER BY device;
    INSERT INTO device_sighting (project_id, device, inbox, first_seen, last_seen, count)
      SELECT '${projectId}', device, inbox, at, at, 1 FROM person ORDER BY device;
    INSERT INTO device_network (project_id, device, network, last_seen)
      SELECT '${projectId}', device, network, at FROM person ORDER BY device;
    INSERT INTO inbox (project_id, inbox, spelling, last_seen, kept_since)
      SELECT '${projectId}', inbox, inbox, at, at FROM person ORDER BY inbox;`;
}

/** A tenth signed up, and of a hundredth the outcome is known: a quarter of these are bad. */
function outcomes({ projectId }: FillOptions): string {
  return `INSERT INTO outcome (project_id, inbox, accepted_at, verdict, decided_at, seen_at)
    SELECT '${projectId}', inbox, at, CASE WHEN i % 400 = 0 THEN 'bad' WHEN i % 100 = 0 THEN 'good' END,
      CASE WHEN i % 100 = 0 THEN at END, at
    FROM person WHERE i % 10 = 0 ORDER BY inbox;`;
}

function counts({ projectId, people: count }: FillOptions): string {
  return `UPDATE log_total SET rows = rows + ${count} WHERE project_id = '${projectId}';
    INSERT INTO usage_hour (project_id, hour, kind, count)
      SELECT '${projectId}', p.at / ${HOUR} * ${HOUR}, t.recommendation, count(*)
      FROM person p JOIN template t ON t.n = p.i % (SELECT count(*) FROM template) WHERE true GROUP BY 1, 2, 3
      ON CONFLICT (project_id, hour, kind) DO UPDATE SET count = usage_hour.count + excluded.count;`;
}

/** The words that the statistics count begin with the domain. What the copied rows have left there is deleted first. */
function statistics({ backEnd, projectId }: FillOptions): string {
  const [find, join, newline] =
    backEnd === 'sqlite' ? ['instr', 'group_concat', 'char(10)'] : ['strpos', 'string_agg', 'chr(10)'];
  return `DELETE FROM statistics; DELETE FROM statistics_change;
    INSERT INTO statistics_change (project_id, id, at, lines)
      SELECT '${projectId}', 'bench-' || slot, slot, ${join}(number || ' ' || words, ${newline}) FROM (
        SELECT p.at / ${HALF_HOUR} * ${HALF_HOUR} AS slot, count(*) AS number,
          t.recommendation || substr(t.marks, ${find}(t.marks, ' domain:')) AS words
        FROM person p JOIN template t ON t.n = p.i % (SELECT count(*) FROM template) GROUP BY 1, 3
      ) lines GROUP BY slot;`;
}
