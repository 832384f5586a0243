import { HOUR_MS } from '../../model/windows.ts';
import { type Database, integer, type SqlValue, statement, text, textOrNull } from '../database.ts';
import type { SourceFilter, SourceKind, SourceSpan, SourceStore } from '../source-store.ts';
import { RESULTS_START } from '../statistics/statistics-words.ts';
import { timeOfId, timePrefix } from '../timed-id.ts';
import { ALWAYS, type Condition } from './condition.ts';
import type { Dialect } from './write-outcomes.ts';

/** Enough to see a surge, and few enough to count within some hundredths of a second. */
const ROWS_COUNTED = 5_000;
const ENDS_READ = 500;

/** The name of a source, and the facts that it is made of. Only these are read, because finding them takes the time. */
const NAMES = { domain: 'domain', network: 'maskedIp', pattern: "shape || '@' || domain" } as const;
const FACTS = { domain: ['domain'], network: ['maskedIp'], pattern: ['shape', 'domain'] } as const;

export function sourceTable(database: Database, dialect: Dialect): SourceStore {
  const browse = (
    span: SourceSpan,
    kinds: readonly SourceKind[],
    sql: string,
    values: readonly SqlValue[],
  ) => {
    const { projectId, from, to } = span;
    const facts = [...new Set(kinds.flatMap((kind) => FACTS[kind]))];
    const recent = `WITH recent AS (
      SELECT id, recommendation, marks, ${fact(dialect, 'inbox')} AS inbox
        ${facts.map((name) => `, ${fact(dialect, name)} AS ${name}`).join('')}
      FROM validation_log WHERE project_id = ? AND id >= ? AND id < ? AND marks LIKE ' mode:live %'
      ORDER BY id DESC LIMIT ${ROWS_COUNTED})`;
    return database.browse(
      statement(`${recent} ${sql}`, projectId, timePrefix(from), timePrefix(to), ...values),
    );
  };
  return {
    async mostFrequent(span, kind, filter, limit) {
      const { sql, values } = conditionOf(filter);
      const rows = await browse(
        span,
        [kind, ...kindsOf(filter)],
        `SELECT name, count(DISTINCT inbox) AS people FROM (SELECT ${NAMES[kind]} AS name, inbox FROM recent WHERE ${sql})
         AS named WHERE name IS NOT NULL GROUP BY name ORDER BY people DESC, name LIMIT ?`,
        [...values, limit],
      );
      return rows.map((row) => ({ name: text(row, 'name'), count: integer(row, 'people') }));
    },
    async people(span, filter) {
      const { sql, values } = conditionOf(filter);
      const [row] = await browse(
        span,
        kindsOf(filter),
        `SELECT count(DISTINCT CASE WHEN ${sql} THEN inbox END) AS people, count(*) AS counted, min(id) AS oldest
         FROM recent`,
        values,
      );
      const oldest = row ? textOrNull(row, 'oldest') : null;
      if (!row || oldest === null) return { people: 0, hours: null };
      const since = integer(row, 'counted') < ROWS_COUNTED ? span.from : timeOfId(oldest);
      return { people: integer(row, 'people'), hours: Math.max(span.to - since, 1) / HOUR_MS };
    },
    async signals(span, recommendation, limit) {
      // Signals are at the end of the marks, where most rows are equal, so that there are few groups.
      const end = `substr(marks, ${FIND[dialect]}(marks, '${RESULTS_START}'))`;
      const rows = await browse(
        span,
        [],
        `SELECT ${end} AS words, count(*) AS validations FROM recent WHERE recommendation = ?
         GROUP BY ${end} ORDER BY validations DESC LIMIT ${ENDS_READ}`,
        [recommendation],
      );
      const counts = new Map<string, number>();
      for (const row of rows)
        for (const name of signalsOf(text(row, 'words')))
          counts.set(name, (counts.get(name) ?? 0) + integer(row, 'validations'));
      const named = [...counts].map(([name, count]) => ({ name, count }));
      return named.sort((one, other) => other.count - one.count).slice(0, limit);
    },
  };
}

const FIND = { sqlite: 'instr', postgres: 'strpos' } as const;

/**
 * A text of the facts, or NULL. None of these contains a quote, and quotes inside other texts are escaped, so there is
 * nothing to confuse it with. Reading the JSON would take several times as long.
 */
function fact(dialect: Dialect, name: 'inbox' | 'domain' | 'shape' | 'maskedIp'): string {
  const start = `"${name}":"`;
  if (dialect === 'postgres') return `nullif(split_part(split_part(facts, '${start}', 2), '"', 1), '')`;
  const rest = `substr(facts, instr(facts, '${start}') + ${start.length})`;
  return `CASE WHEN instr(facts, '${start}') > 0 THEN substr(${rest}, 1, instr(${rest}, '"') - 1) END`;
}

function conditionOf(filter: SourceFilter | null): Condition {
  if (filter === null) return ALWAYS;
  if ('recommendation' in filter) return { sql: 'recommendation = ?', values: [filter.recommendation] };
  return { sql: `${NAMES[filter.kind]} = ?`, values: [filter.name] };
}

function kindsOf(filter: SourceFilter | null): SourceKind[] {
  return filter !== null && 'kind' in filter ? [filter.kind] : [];
}

function signalsOf(words: string): Set<string> {
  return new Set(words.split(' ').flatMap((word) => (word.startsWith('signal:') ? word.slice(7) : [])));
}
