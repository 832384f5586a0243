import { type CheckName, type Recommendation, signalFamily } from '@postern/contract';
import type { KeyMode } from '../../model/api-key.ts';
import type { SqlValue } from '../database.ts';
import type { LogRow } from '../log-row.ts';
import type { Condition } from './condition.ts';

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
  /** Whether a row that was read has the value. */
  readonly occurs: (row: LogRow, value: string | number) => boolean;
}

const LIKE = (column: string) => `${column} LIKE ? ESCAPE '\\'`;
const literal = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

const equal = (column: string, of: (row: LogRow) => SqlValue): Filter => ({
  column,
  sql: () => `${column} = ?`,
  sought: (value) => [value],
  occurs: (row, value) => of(row) === value,
});

const start = (column: string, of: (row: LogRow) => string | null): Filter => ({
  column,
  sql: LIKE,
  sought: (value) => [`${literal(String(value))}%`],
  occurs: (row, value) => of(row)?.startsWith(String(value)) ?? false,
});

/** `<N>` stands for any number, as in the list of signals. No word contains it, and only those signals end alike. */
const word = (column: string, kinds: readonly string[], of: (row: LogRow) => readonly string[]): Filter => ({
  column,
  sql: LIKE,
  sought: (value) => kinds.map((kind) => `% ${literal(`${kind}:${value}`).replace('<N>', '%')} %`),
  occurs: (row, value) => of(row).includes(String(value)),
});

const SIGNAL = word('words', ['signal'], (row) =>
  row.signals.flatMap((signal) => [signal, signalFamily(signal)]),
);
const RULE = word('rules', ['rule'], (row) => row.rules);

/** Every filter of the log, once: what it means in SQL, and what it means for a row of the live log. */
const FILTERS = {
  recommendation: equal('recommendation', (row) => row.recommendation),
  mode: equal('mode', (row) => row.mode),
  domain: equal('domain', (row) => row.domain),
  domainPart: {
    column: 'domain',
    sql: LIKE,
    sought: (part) => [`%${literal(String(part))}%`],
    occurs: ({ domain }, part) => domain.includes(String(part)),
  },
  domainUnder: {
    column: 'domain',
    sql: LIKE,
    sought: (domain) => [literal(String(domain)), `%.${literal(String(domain))}`],
    occurs: ({ domain }, above) => domain === above || domain.endsWith(`.${above}`),
  },
  mailHost: {
    column: 'details',
    sql: LIKE,
    sought: (host) => ['', '%.'].map((under) => `%"mailHost":"${under}${literal(String(host))}"%`),
    occurs: ({ facts }, host) => facts.mailHost === host || facts.mailHost.endsWith(`.${host}`),
  },
  inboxHash: equal('inbox', (row) => row.inboxHash),
  deviceHash: equal('device', (row) => row.deviceHash),
  inboxStart: start('inbox', (row) => row.inboxHash),
  deviceStart: start('device', (row) => row.deviceHash),
  network: equal('network', (row) => row.maskedIp),
  country: equal('country', (row) => row.country),
  asn: equal('asn', (row) => row.asn),
  check: word('words', ['check'], (row) => row.failed),
  signal: {
    ...SIGNAL,
    // A rule’s signal stands in the column of rules, by the rule’s ID.
    column: '(words || rules)',
    sought: (value) =>
      String(value).startsWith('rule_')
        ? RULE.sought(String(value).slice('rule_'.length))
        : SIGNAL.sought(value),
  },
  rule: word('rules', ['rule', 'shadow'], (row) => [...row.rules, ...row.shadowRules]),
  event: word('words', ['event'], (row) => [row.facts.event]),
  list: word('lists', ['list'], (row) => row.lists),
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

/** Whether a row passes the filter except its time. The live log tests each new row. */
export function matchesFilter(row: LogRow, filter: LogFilter): boolean {
  const has = ({ is, values }: GivenFilter) => values.some((value) => is.occurs(row, value));
  return valuesOf(filter).every(has) && !valuesOf(filter.not ?? {}).some(has);
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
  const groups = [];
  for (let at = 0; at < tests.length; at += TESTS_AT_ONCE)
    groups.push(`(${tests.slice(at, at + TESTS_AT_ONCE).join(' OR ')})`);
  return groups.length === 1 ? `${groups[0]}` : `(${groups.join(' OR ')})`;
}
