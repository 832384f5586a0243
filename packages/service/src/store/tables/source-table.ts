import { HOUR_MS, type Recommendation } from '@postern/contract';
import { type Database, integer, integerOrNull, type SqlValue, statement, text } from '../database.ts';
import { wordsReader } from '../log-words.ts';
import { timePrefix } from '../timed-id.ts';
import { ALWAYS, type Condition } from './condition.ts';

/** Where sign-ups come from. A pattern is the shape of a name with its domain, such as `a99@example.com`. */
export type SourceKind = 'domain' | 'network' | 'pattern';

/** The live validations of a time span, `to` not included. Only the newest few thousand are counted. */
export interface SourceSpan {
  readonly projectId: string;
  readonly from: number;
  readonly to: number;
}

/** Only validations with this recommendation, or from this source. */
export type SourceFilter =
  | { readonly recommendation: Recommendation }
  | { readonly kind: SourceKind; readonly name: string };

export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

/** Enough to see a surge, and few enough to count within some hundredths of a second. */
const ROWS_COUNTED = 5_000;

const NAMES: Readonly<Record<SourceKind, string>> = {
  domain: 'domain',
  network: 'network',
  pattern: "shape || '@' || domain",
};

const RECENT = `WITH recent AS (
  SELECT at, recommendation, inbox, domain, shape, network, words FROM validation_log
  WHERE project_id = ? AND id >= ? AND id < ? AND mode = 'live' ORDER BY id DESC LIMIT ${ROWS_COUNTED})`;

export type SourceStore = ReturnType<typeof sourceStore>;

/** Counts in the database where sign-ups come from: reading the rows would keep requests waiting. */
export function sourceStore(database: Database) {
  const browse = ({ projectId, from, to }: SourceSpan, sql: string, values: readonly SqlValue[]) =>
    database.browse(statement(`${RECENT} ${sql}`, projectId, timePrefix(from), timePrefix(to), ...values));
  return {
    /** The sources that the most people have in common, at most `limit`. A person who tries again counts once. */
    async mostFrequent(
      span: SourceSpan,
      kind: SourceKind,
      filter: SourceFilter | null,
      limit: number,
    ): Promise<NamedCount[]> {
      const { sql, values } = conditionOf(filter);
      const rows = await browse(
        span,
        `SELECT name, count(DISTINCT inbox) AS people FROM (SELECT ${NAMES[kind]} AS name, inbox FROM recent WHERE ${sql})
         AS named WHERE name IS NOT NULL GROUP BY name ORDER BY people DESC, name LIMIT ?`,
        [...values, limit],
      );
      return rows.map((row) => ({ name: text(row, 'name'), count: integer(row, 'people') }));
    },
    /** How many people match. `hours`: the time that the counted validations cover, `null` if there are none. */
    async people(
      span: SourceSpan,
      filter: SourceFilter | null,
    ): Promise<{ readonly people: number; readonly hours: number | null }> {
      const { sql, values } = conditionOf(filter);
      const [row] = await browse(
        span,
        `SELECT count(DISTINCT CASE WHEN ${sql} THEN inbox END) AS people, count(*) AS counted, min(at) AS oldest
         FROM recent`,
        values,
      );
      const oldest = row ? integerOrNull(row, 'oldest') : null;
      if (!row || oldest === null) return { people: 0, hours: null };
      const since = integer(row, 'counted') < ROWS_COUNTED ? span.from : oldest;
      return { people: integer(row, 'people'), hours: Math.max(span.to - since, 1) / HOUR_MS };
    },
    /** How many validations with that recommendation had each signal, for the most frequent signals. */
    async signals(span: SourceSpan, recommendation: Recommendation, limit: number): Promise<NamedCount[]> {
      const rows = await browse(span, 'SELECT words FROM recent WHERE recommendation = ?', [recommendation]);
      const read = wordsReader();
      const counts = new Map<string, number>();
      for (const row of rows)
        for (const name of read(text(row, 'words')).signals) counts.set(name, (counts.get(name) ?? 0) + 1);
      const named = [...counts].map(([name, count]) => ({ name, count }));
      return named.sort((one, other) => other.count - one.count).slice(0, limit);
    },
  };
}

function conditionOf(filter: SourceFilter | null): Condition {
  if (filter === null) return ALWAYS;
  if ('recommendation' in filter) return { sql: 'recommendation = ?', values: [filter.recommendation] };
  return { sql: `${NAMES[filter.kind]} = ?`, values: [filter.name] };
}
