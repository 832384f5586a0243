import type { SignalRow } from './outcome-report.ts';

/** Fewer known people than this make a share that means little. */
const LEAST_KNOWN = 5;

/** The share of bad people of each signal of which enough is known. */
export function signalShares(rows: readonly SignalRow[]): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(({ kind, name, known, share }) =>
      kind === 'signal' && share !== null && known >= LEAST_KNOWN ? [[name, share] as const] : [],
    ),
  );
}
