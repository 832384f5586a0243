import { signalFamily } from '../../components/check-names.ts';

interface Counted {
  readonly signal: string;
  readonly count: number;
}

/** Most frequent first, with signals that differ only in their number as one: a validation has at most one of them. */
export function groupSignals(signals: readonly Counted[]): Counted[] {
  const counts = new Map<string, number>();
  for (const { signal, count } of signals) {
    const family = signalFamily(signal);
    counts.set(family, (counts.get(family) ?? 0) + count);
  }
  return [...counts]
    .map(([signal, count]) => ({ signal, count }))
    .sort((one, other) => other.count - one.count);
}
