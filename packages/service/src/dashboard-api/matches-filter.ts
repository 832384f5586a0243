import type { LogFilter, LogRow, OneOrMany } from '../store/store.ts';

/** Whether a row passes the filter, by the same rules as the store's query. Time spans are left out. */
export function matchesFilter(row: LogRow, filter: LogFilter): boolean {
  const { not = {} } = filter;
  return (
    passes(filter.recommendation, [row.recommendation]) &&
    passes(filter.check, row.failed) &&
    passes(filter.signal, row.signals.flatMap(withFamily)) &&
    passes(filter.domain, [row.domain]) &&
    passes(filter.mode, [row.mode]) &&
    passes(filter.deviceHash, [row.deviceHash ?? '']) &&
    passes(filter.inboxHash, [row.inboxHash]) &&
    passes(filter.network, [row.maskedIp ?? '']) &&
    (filter.country === undefined || row.checksJson.includes(`"country":"${filter.country}"`)) &&
    (filter.asn === undefined ||
      [',', '}'].some((end) => row.checksJson.includes(`"asn":${filter.asn}${end}`))) &&
    (filter.domainPart === undefined || row.domain.includes(filter.domainPart)) &&
    !names(not.recommendation, [row.recommendation]) &&
    !names(not.check, row.failed) &&
    !names(not.signal, row.signals.flatMap(withFamily)) &&
    !names(not.domain, [row.domain])
  );
}

const passes = (wanted: OneOrMany<string> | undefined, values: readonly string[]) =>
  wanted === undefined || names(wanted, values);

function names(wanted: OneOrMany<string> | undefined, values: readonly string[]): boolean {
  if (wanted === undefined) return false;
  return typeof wanted === 'string' ? values.includes(wanted) : wanted.some((each) => values.includes(each));
}

/** A signal with a number is also found under its name in the list of signals. */
const withFamily = (signal: string) => [signal, signal.replace(/_\d+_/, '_<N>_')];
