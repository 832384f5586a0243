import { signalFamily } from '@postern/contract';
import type { LogRow } from '../store/store.ts';
import type { LogFilter, OneOrMany } from '../store/tables/log-filter.ts';

/** Whether a row passes the filter, by the same rules as the store's query. Time spans are left out. */
export function matchesFilter(row: LogRow, filter: LogFilter): boolean {
  const { not = {} } = filter;
  return (
    (filter.mode === undefined || filter.mode === row.mode) &&
    (filter.deviceHash === undefined || filter.deviceHash === row.deviceHash) &&
    (filter.inboxHash === undefined || filter.inboxHash === row.inboxHash) &&
    TESTS.every((test) => test(row, filter) !== false && test(row, not) !== true)
  );
}

/** Whether one of a filter's values occurs in the row. `undefined` if the filter has no values. */
type Test = (row: LogRow, filter: LogFilter) => boolean | undefined;

const TESTS: readonly Test[] = [
  (row, { recommendation }) => some(recommendation, (each) => each === row.recommendation),
  (row, { check }) => some(check, (each) => row.failed.includes(each)),
  (row, { signal }) => some(signal, (each) => row.signals.flatMap(withFamily).includes(each)),
  (row, { domain }) => some(domain, (each) => each === row.domain),
  (row, { domainPart }) => some(domainPart, (each) => row.domain.includes(each)),
  (row, { network }) => some(network, (each) => each === row.maskedIp),
  (row, { country }) => some(country, (each) => each === row.country),
  (row, { asn }) => some(asn, (each) => each === row.asn),
  (row, { rule }) => some(rule, (each) => row.rules.includes(each) || row.shadowRules.includes(each)),
  (row, { list }) => some(list, (each) => row.lists.includes(each)),
];

function some<T>(wanted: OneOrMany<T> | undefined, occurs: (each: T) => boolean): boolean | undefined {
  if (wanted === undefined) return undefined;
  return Array.isArray(wanted) ? (wanted as readonly T[]).some(occurs) : occurs(wanted as T);
}

/** A signal with a number is also found under its name in the list of signals. */
const withFamily = (signal: string) => [signal, signalFamily(signal)];
