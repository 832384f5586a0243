import type { ShareFigures } from '@postern/contract/dashboard';
import type { LogRow } from '../store/store.ts';
import type { Slot } from '../store/tables/statistics-table.ts';
import type { TimeSpan } from './time-span.ts';

/** Validations of one domain or network, and how many of them were flagged and blocked. */
interface Tally {
  readonly at: number;
  readonly count: number;
  readonly flagged: number;
  readonly blocked: number;
}

/**
 * The figures of one domain or network from the statistics: the same counts as in the overview’s lists. `isWord` says
 * whether a counted word, such as `domain:example.com`, is about it.
 */
export async function countedFigures(
  slots: AsyncIterable<readonly Slot[]>,
  span: TimeSpan,
  kind: 'domain' | 'asn',
  isWord: (word: string) => boolean,
): Promise<ShareFigures> {
  const tallies: Tally[] = [];
  let exact = true;
  for await (const portion of slots) {
    for (const { at, counts } of portion) {
      let count = 0;
      let flagged = 0;
      let blocked = 0;
      for (const [word, number] of counts) {
        if (isWord(word)) count += number;
        else if (word.startsWith('!') && isWord(word.slice(1))) blocked += number;
        else if (word.startsWith('?') && isWord(word.slice(1))) flagged += number;
      }
      if (count > 0) tallies.push({ at, count, flagged, blocked });
      if (at >= span.from && counts.has(`over:${kind}`)) exact = false;
    }
  }
  return shareFigures(tallies, span, exact);
}

/**
 * The same from rows of the log, for what the statistics do not count. `complete`: these are all rows. Nothing is
 * compared with the time before, of which the log may have deleted a part.
 */
export function loggedFigures(rows: readonly LogRow[], span: TimeSpan, complete: boolean): ShareFigures {
  const tallies = rows.map(({ at, recommendation }) => ({
    at,
    count: 1,
    flagged: recommendation === 'flag' ? 1 : 0,
    blocked: recommendation === 'block' ? 1 : 0,
  }));
  return shareFigures(tallies, span, complete);
}

function shareFigures(tallies: readonly Tally[], span: TimeSpan, exact: boolean): ShareFigures {
  const { starts, partial, from, to, previous, bucketMs, timeZone } = span;
  const total = { count: 0, flagged: 0, blocked: 0 };
  const before = { count: 0, flagged: 0, blocked: 0 };
  const series = starts.map((at, index) => ({
    at,
    until: starts[index + 1] ?? to,
    partial: partial[index] ?? false,
    count: 0,
    flagged: 0,
    blocked: 0,
  }));
  let bar = 0;
  for (const tally of [...tallies].sort((one, other) => one.at - other.at)) {
    const { at } = tally;
    if (at >= previous.from && at < previous.to) add(before, tally);
    if (at < from || at >= to) continue;
    add(total, tally);
    while (at >= (starts[bar + 1] ?? to)) bar += 1;
    const own = series[bar];
    if (own) add(own, tally);
  }
  return { from, to, timeZone, bucketMs, series, ...total, previous: { ...previous, ...before }, exact };
}

type Sum = Record<'count' | 'flagged' | 'blocked', number>;

function add(sum: Sum, { count, flagged, blocked }: Tally): void {
  sum.count += count;
  sum.blocked += Math.min(count, blocked);
  sum.flagged += Math.min(count - Math.min(count, blocked), flagged);
}
