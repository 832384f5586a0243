import type { CheckName, Recommendation } from '@postern/contract';
import type { KeyMode } from '../../model/api-key.ts';
import type { SqlValue } from '../database.ts';
import type { Condition } from './condition.ts';

/** One value, or several of which one must match. */
export type OneOrMany<T> = T | readonly T[];

export interface LogFilter {
  readonly from?: number;
  readonly to?: number;
  readonly recommendation?: OneOrMany<Recommendation>;
  readonly check?: OneOrMany<CheckName>;
  readonly signal?: OneOrMany<string>;
  readonly domain?: OneOrMany<string>;
  /** Values that a row must not have. */
  readonly not?: Omit<LogFilter, 'not' | 'from' | 'to' | 'deviceHash' | 'inboxHash' | 'mode'>;
  /** A part of the domain. */
  readonly domainPart?: OneOrMany<string>;
  /** As the log shows it: a /24 or a /48. */
  readonly network?: OneOrMany<string>;
  /** Where the IP check found the address to be. */
  readonly country?: OneOrMany<string>;
  readonly asn?: OneOrMany<number>;
  /** A rule of the project that matched, live or shadow. */
  readonly rule?: OneOrMany<string>;
  /** An entry of the project’s lists that decided. */
  readonly list?: OneOrMany<string>;
  readonly deviceHash?: string;
  readonly inboxHash?: string;
  readonly mode?: KeyMode;
}

/** The filter’s conditions except the time, as SQL for both stores. */
export function filterConditions(filter: LogFilter): Condition[] {
  return [
    ...conditionsOf(filter).map(({ sql, values }) => ({ sql: `(${sql})`, values })),
    // A column that is NULL is none of the values.
    ...conditionsOf(filter.not ?? {}).map(({ sql, values }) => ({
      sql: `NOT coalesce((${sql}), FALSE)`,
      values,
    })),
  ];
}

function conditionsOf(filter: LogFilter): Condition[] {
  return [
    ...anyOf('recommendation = ?', list(filter.recommendation)),
    ...anyOf('mode = ?', list(filter.mode)),
    ...anyOf('domain = ?', list(filter.domain)),
    ...anyOf(
      LIKE('domain'),
      list(filter.domainPart).map((part) => `%${literal(part)}%`),
    ),
    ...anyOf('inbox = ?', list(filter.inboxHash)),
    ...anyOf('device = ?', list(filter.deviceHash)),
    ...anyOf('network = ?', list(filter.network)),
    ...anyOf('country = ?', list(filter.country)),
    ...anyOf('asn = ?', list(filter.asn)),
    ...anyOf(LIKE('words'), words('check', filter.check)),
    ...anyOf(LIKE('words'), words('signal', filter.signal)),
    ...anyOf(LIKE('rules'), [...words('rule', filter.rule), ...words('shadow', filter.rule)]),
    ...anyOf(LIKE('lists'), words('list', filter.list)),
  ];
}

const LIKE = (column: string) => `${column} LIKE ? ESCAPE '\\'`;

const list = <T>(value: OneOrMany<T> | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T];

function words(kind: string, value: OneOrMany<string> | undefined): string[] {
  // `<N>` stands for any number, as in the list of signals. No word contains it, and only those signals have the same
  // ending.
  return list(value).map((each) => `% ${literal(`${kind}:${each}`).replace('<N>', '%')} %`);
}

const literal = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

const anyOf = (sql: string, values: readonly SqlValue[]): Condition[] =>
  values.length === 0 ? [] : [{ sql: values.map(() => sql).join(' OR '), values }];
