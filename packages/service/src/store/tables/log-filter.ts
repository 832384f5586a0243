import { jsonString } from '../../model/json-text.ts';
import type { SqlValue } from '../database.ts';
import type { LogFilter, OneOrMany } from '../store.ts';

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const MARK = "marks LIKE ? ESCAPE '\\'";
const FACT = "facts LIKE ? ESCAPE '\\'";

/** The filter’s conditions except the time, as SQL for both stores. */
export function filterConditions(filter: LogFilter): Condition[] {
  const { not = {} } = filter;
  return [
    ...anyOf('recommendation = ?', list(filter.recommendation)),
    ...anyOf(MARK, marks('mode', filter.mode)),
    ...anyOf(MARK, marks('domain', filter.domain)),
    ...anyOf(MARK, marks('inbox', filter.inboxHash)),
    ...anyOf(MARK, marks('device', filter.deviceHash)),
    ...anyOf(MARK, marks('check', filter.check)),
    ...anyOf(MARK, marks('signal', filter.signal)),
    ...noneOf('recommendation = ?', list(not.recommendation)),
    ...noneOf(MARK, marks('domain', not.domain)),
    ...noneOf(MARK, marks('check', not.check)),
    ...noneOf(MARK, marks('signal', not.signal)),
    ...Object.values(factPatterns(filter)).flatMap((patterns) => anyOf(FACT, patterns)),
    ...Object.values(factPatterns(not)).flatMap((patterns) => noneOf(FACT, patterns)),
  ];
}

/** What the facts are searched for, by the name of the filter. */
function factPatterns({ domainPart, network, country, asn }: LogFilter): Record<string, string[]> {
  return {
    domainPart: list(domainPart).map(domainPattern),
    network: list(network).map((each) => fact('maskedIp', each)),
    country: list(country).map((each) => fact('country', each)),
    // A number ends with the field or with the object that it is in.
    asn: list(asn).flatMap((each) => [`%"asn":${each},%`, `%"asn":${each}}%`]),
  };
}

const list = <T>(value: OneOrMany<T> | undefined): readonly T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value as T];

function marks(name: string, value: OneOrMany<string> | undefined): string[] {
  // `<N>` stands for any number, as in the list of signals. No mark contains it, and only those signals have the same
  // ending.
  return list(value).map((each) => `% ${literal(`${name}:${each}`).replace('<N>', '%')} %`);
}

const fact = (name: string, value: string) => `%${literal(`"${name}":${jsonString(value)}`)}%`;

/** A domain cannot contain a quote, so the match ends before the next field. */
const domainPattern = (part: string) => `%"domain":"%${literal(part)}%","maskedIp":%`;

const literal = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&');

const anyOf = (sql: string, values: readonly SqlValue[]): Condition[] =>
  values.length === 0 ? [] : [{ sql: `(${values.map(() => sql).join(' OR ')})`, values }];

const noneOf = (sql: string, values: readonly SqlValue[]): Condition[] =>
  values.length === 0 ? [] : [{ sql: `NOT (${values.map(() => sql).join(' OR ')})`, values }];
