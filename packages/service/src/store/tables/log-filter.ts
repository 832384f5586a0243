import type { CheckName, Recommendation } from '@postern/contract';
import type { KeyMode } from '../../model/api-key.ts';
import { chunksOf } from '../../model/chunks.ts';
import type { Condition, SqlValue } from '../database.ts';

/** One value, or several of which one must match. */
type OneOrMany<T> = T | readonly T[];

export interface LogFilter {
  readonly from?: number;
  readonly to?: number;
  readonly recommendation?: OneOrMany<Recommendation>;
  readonly check?: OneOrMany<CheckName>;
  readonly signal?: OneOrMany<string>;
  readonly domain?: OneOrMany<string>;
  /** Values that a row must not have. */
  readonly not?: Omit<
    LogFilter,
    'not' | 'from' | 'to' | 'deviceHash' | 'deviceStart' | 'inboxHash' | 'inboxStart' | 'mode'
  >;
  /** A part of the domain. */
  readonly domainPart?: OneOrMany<string>;
  /** A domain, or one below it. */
  readonly domainUnder?: OneOrMany<string>;
  /** Where the domain’s mail went, or a host under it, as `facts` has it. */
  readonly mailHost?: OneOrMany<string>;
  /** As the log shows it: a /24 or a /48. */
  readonly network?: OneOrMany<string>;
  /** Where the IP check found the address to be. */
  readonly country?: OneOrMany<string>;
  readonly asn?: OneOrMany<number>;
  /** A rule of the project that matched, live or shadow. */
  readonly rule?: OneOrMany<string>;
  /** An entry of the project’s lists that decided. */
  readonly list?: OneOrMany<string>;
  /** What the person was doing, such as `sign_up`. */
  readonly event?: OneOrMany<string>;
  readonly deviceHash?: OneOrMany<string>;
  readonly inboxHash?: OneOrMany<string>;
  /** The first letters of a hash, as pages show it. */
  readonly deviceStart?: string;
  readonly inboxStart?: string;
  readonly mode?: KeyMode;
}

/** How the log is asked for a value: by a column, by a part of one, or by a word in a column of words. */
interface Filter {
  readonly column: string;
  readonly sql: (column: string) => string;
  /** The values that SQL looks for. */
  readonly sought: (value: string | number) => readonly SqlValue[];
}

const LIKE = (column: string) => `${column} LIKE ? ESCAPE '\\'`;
const literal = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

const equal = (column: string): Filter => ({
  column,
  sql: () => `${column} = ?`,
  sought: (value) => [value],
});

const start = (column: string): Filter => ({
  column,
  sql: LIKE,
  sought: (value) => [`${literal(String(value))}%`],
});

/** `<N>` stands for any number, as in the list of signals. No word contains it, and only those signals end alike. */
const word = (column: string, ...kinds: readonly string[]): Filter => ({
  column,
  sql: LIKE,
  sought: (value) => kinds.map((kind) => `% ${literal(`${kind}:${value}`).replace('<N>', '%')} %`),
});

const SIGNAL = word('words', 'signal');
const RULE = word('rules', 'rule');

/** Every filter of the log, and what it means in SQL. */
const FILTERS = {
  recommendation: equal('recommendation'),
  mode: equal('mode'),
  domain: equal('domain'),
  domainPart: { column: 'domain', sql: LIKE, sought: (part) => [`%${literal(String(part))}%`] },
  domainUnder: {
    column: 'domain',
    sql: LIKE,
    sought: (domain) => [literal(String(domain)), `%.${literal(String(domain))}`],
  },
  mailHost: {
    column: 'details',
    sql: LIKE,
    sought: (host) => ['', '%.'].map((under) => `%"mailHost":"${under}${literal(String(host))}"%`),
  },
  inboxHash: equal('inbox'),
  deviceHash: equal('device'),
  inboxStart: start('inbox'),
  deviceStart: start('device'),
  network: equal('network'),
  country: equal('country'),
  asn: equal('asn'),
  check: word('words', 'check'),
  signal: {
    // A rule’s signal stands in the column of rules, by the rule’s ID.
    column: '(words || rules)',
    sql: LIKE,
    sought: (value) =>
      String(value).startsWith('rule_')
        ? RULE.sought(String(value).slice('rule_'.length))
        : SIGNAL.sought(value),
  },
  rule: word('rules', 'rule', 'shadow'),
  event: word('words', 'event'),
  list: word('lists', 'list'),
} as const satisfies Record<Exclude<keyof LogFilter, 'from' | 'to' | 'not'>, Filter>;

/** The filter’s conditions except the time, as SQL for both stores. */
export function filterConditions(filter: LogFilter): Condition[] {
  return [
    ...valuesOf(filter).map((given) => conditionOf(given)),
    // A column that is NULL is none of the values.
    ...valuesOf(filter.not ?? {}).map((given) => {
      const { sql, values } = conditionOf(given);
      return { sql: `NOT coalesce(${sql}, FALSE)`, values };
    }),
  ];
}

interface GivenFilter {
  readonly is: Filter;
  readonly values: readonly (string | number)[];
}

/** The filters that have values. */
function valuesOf(filter: LogFilter): GivenFilter[] {
  return (Object.keys(FILTERS) as (keyof typeof FILTERS)[]).flatMap((name) => {
    const value = filter[name];
    if (value === undefined) return [];
    const values = typeof value === 'string' || typeof value === 'number' ? [value] : value;
    return values.length === 0 ? [] : [{ is: FILTERS[name], values }];
  });
}

function conditionOf({ is, values }: GivenFilter): Condition {
  const sought = values.flatMap((value) => is.sought(value));
  return { sql: anyOf(sought.map(() => is.sql(is.column))), values: sought };
}

/** SQLite reads expressions that are at most 1,000 deep, and each OR is one deeper than the one before. */
const TESTS_AT_ONCE = 500;

function anyOf(tests: readonly string[]): string {
  const groups = [...chunksOf(tests, TESTS_AT_ONCE)].map((some) => `(${some.join(' OR ')})`);
  return groups.length === 1 ? `${groups[0]}` : `(${groups.join(' OR ')})`;
}
