import type { SignalRow } from './outcome-report.ts';

/** With fewer known people than this, a share means little. */
const LEAST_KNOWN = 5;

/** The share of bad people for each signal with enough known people. */
export function signalShares(rows: readonly SignalRow[]): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(({ kind, name, known, share }) =>
      kind === 'signal' && share !== null && known >= LEAST_KNOWN ? [[name, share] as const] : [],
    ),
  );
}
