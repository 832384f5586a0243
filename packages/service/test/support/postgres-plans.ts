import pg from 'pg';
import { ALL_TABLES } from '../../src/store/all-tables.ts';
import { mayReadAll, SMALL_TABLES } from './whole-reads.ts';

interface NotedStatement {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** What the sweep sets for its transactions; see `byIndex`. */
  readonly settings: string | undefined;
}

export interface NotedStatements {
  /** All that the stores of this process have sent, each text once, with the first values. */
  statements(): readonly NotedStatement[];
  remove(): void;
}

/** Must be called before a store is opened. */
export function notePostgresStatements(): NotedStatements {
  const noted = new Map<string, NotedStatement>();
  const settings = new WeakMap<pg.Client, string>();
  const client = pg.Client.prototype as unknown as { query: (...words: unknown[]) => unknown };
  const { query } = client;
  client.query = function noteQuery(this: pg.Client, ...words) {
    const [first, second] = words as [string | pg.QueryConfig, unknown];
    const { text, values = [] } = typeof first === 'string' ? { text: first, values: second } : first;
    if (text.includes("set_config('enable_sort'")) settings.set(this, text);
    else if (/^(BEGIN|COMMIT|ROLLBACK)/.test(text)) settings.delete(this);
    else if (!noted.has(text))
      noted.set(text, {
        sql: text,
        values: Array.isArray(values) ? values : [],
        settings: settings.get(this),
      });
    return query.apply(this, words);
  };
  return {
    statements: () => [...noted.values()],
    remove() {
      client.query = query;
    },
  };
}

const GROWING = ALL_TABLES.map(({ name }) => name).filter((name) => !SMALL_TABLES.includes(name));

const PROJECT = 'project-0';
const PROJECTS = 10;
const ROWS = 3_000;

/** Some columns must have certain values for an index to be of use; the others have any. */
const COLUMNS: Readonly<Record<string, string>> = {
  project_id: `'project-' || i % ${PROJECTS}`,
  recommendation: "CASE WHEN i % 7 = 0 THEN 'flag' ELSE 'allow' END",
  mode: "'live'",
  review: 'NULL',
  judgement: "CASE WHEN i % 7 = 0 THEN 'bad' END",
  seq: 'CASE WHEN i % 7 > 0 THEN i END',
  state: "CASE WHEN i % 7 = 0 THEN 'pending' ELSE 'delivered' END",
  subject: "CASE WHEN i % 7 = 0 THEN 'person:' ELSE 'domain' END || i",
  webhook_id: "'webhook-' || i % 70",
};
const OF_TYPE: Readonly<Record<string, string>> = { bigint: 'i', smallint: '1', jsonb: "'{}'" };

/** Fills the tables of a new database, so that an index is worth using. */
async function fill(client: pg.Client): Promise<void> {
  for (const table of GROWING) {
    const { rows } = await client.query<{ name: string; type: string }>(
      'SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = $1',
      [table],
    );
    const values = rows.map(({ name, type }) => COLUMNS[name] ?? OF_TYPE[type] ?? "md5(i::TEXT || 'x')");
    await client.query(
      `INSERT INTO ${table} (${rows.map(({ name }) => `"${name}"`).join(', ')})
       SELECT ${values.join(', ')} FROM generate_series(1, ${ROWS}) AS i ON CONFLICT DO NOTHING`,
    );
  }
}

const EXPLAINED = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/i;

/**
 * What the statements read that they should not, one line each, before the server has counted what is in the tables and
 * after it. The database is a new one and is filled.
 */
export async function postgresFaults(url: string, statements: readonly NotedStatement[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await fill(client);
    const keys = await indexedColumns(client);
    const explained = shortest(statements.filter(({ sql }) => EXPLAINED.test(sql)));
    const faults: string[] = [];
    for (const state of ['uncounted', 'counted']) {
      if (state === 'counted') await client.query('ANALYZE');
      for (const common of new Set(explained.map(({ settings }) => settings))) {
        await client.query(`BEGIN; SET LOCAL enable_seqscan = off; ${common ?? ''}`);
        for (const noted of explained.filter(({ settings }) => settings === common))
          for (const fault of faultsOf(await planOf(client, noted), keys, noted.sql))
            faults.push(`${state} ${fault}: ${noted.sql}`);
        await client.query('ROLLBACK');
      }
    }
    return faults;
  } finally {
    await client.end();
  }
}

/** One of those that differ only in how many values they have. */
function shortest(statements: readonly NotedStatement[]): NotedStatement[] {
  const found = new Map<string, NotedStatement>();
  for (const statement of statements) {
    const shape = statement.sql
      .replaceAll(/\$\d+/g, '?')
      .replaceAll(/\?(, \?)+/g, '?')
      .replaceAll(/(\([^()]*(?:\([^()]*\)[^()]*)*\))(, \1)+/g, '$1');
    const other = found.get(shape);
    if (other === undefined || other.sql.length > statement.sql.length) found.set(shape, statement);
  }
  return [...found.values()];
}

async function planOf(client: pg.Client, { sql, values }: NotedStatement): Promise<PlanNode> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
    `EXPLAIN (FORMAT JSON) ${sql}`,
    values.map((value) => (typeof value === 'string' ? value.replace(/^project-\d+$/, PROJECT) : value)),
  );
  const [row] = rows;
  if (!row) throw new Error(`No plan of ${sql}`);
  return row['QUERY PLAN'][0].Plan;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** For each table the columns by which an index finds rows, besides the project. */
type IndexedColumns = ReadonlyMap<string, ReadonlySet<string>>;

async function indexedColumns(client: pg.Client): Promise<IndexedColumns> {
  const { rows } = await client.query<{ table: string; definition: string }>(
    `SELECT tablename AS table, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'public' AND indexdef NOT LIKE '% WHERE %'`,
  );
  const found = new Map<string, Set<string>>();
  for (const { table, definition } of rows) {
    const columns = (/\((.*)\)/.exec(definition)?.[1] ?? '').split(', ');
    const column = columns[0] === 'project_id' ? columns[1] : columns[0];
    if (column === undefined) continue;
    found.set(table, (found.get(table) ?? new Set()).add(column));
  }
  return found;
}

function faultsOf(node: PlanNode, keys: IndexedColumns, sql: string): string[] {
  const { 'Node Type': type, 'Relation Name': table, Filter: filter = '', Plans: plans = [] } = node;
  const isBitmap = type === 'Bitmap Heap Scan';
  const faults = isBitmap ? [] : plans.flatMap((plan) => faultsOf(plan, keys, sql));
  if (
    table === undefined ||
    !GROWING.includes(table) ||
    !/^(Seq|Index|Index Only|Bitmap Heap) Scan$/.test(type)
  )
    return faults;
  const by = isBitmap ? plans.map(conditionsIn).join(' ') : conditionsIn(node);
  const step = `${type} ${table} ${by} ${filter}`;
  const missed = [...equalColumns(filter)].filter(
    (column) => keys.get(table)?.has(column) && !equalColumns(by).has(column),
  );
  if (missed.length > 0) faults.push(`does not use the index of ${missed.join(', ')}: ${step}`);
  if (by === '' && !mayReadAll(sql, table)) faults.push(`reads all: ${step}`);
  return faults;
}

function conditionsIn({ 'Index Cond': own = '', Plans: plans = [] }: PlanNode): string {
  return [own, ...plans.map(conditionsIn)].filter((condition) => condition !== '').join(' ');
}

/** A list of more than ten values. Reading all of a project is cheaper if the server takes it for small. */
const LONG_LIST = /\(\w+ = ANY \('\{(?:[^,}]*,){10}[^}]*\}'::\w+\[\]\)\)/g;

/** The columns that a condition compares with a value, or with few. An index does not find alternatives. */
function equalColumns(filter: string): ReadonlySet<string> {
  const condition = filter.replaceAll(LONG_LIST, '');
  if (condition.includes(' OR ')) return new Set();
  return new Set([...condition.matchAll(/\(+(\w+)\)?(?:::\w+)? = /g)].map(([, column]) => column ?? ''));
}
