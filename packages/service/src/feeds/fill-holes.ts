import type { RangeColumns } from './read-range-csv.ts';

/** Two /16s: the largest hole between ranges of one operator. */
const MAX_HOLE = 131_072;

/**
 * Route tables leave out space that an operator has but did not announce that day: three in ten holes are between
 * ranges of the same network. If the same operator is on both sides of a small hole, the hole belongs to it too.
 */
export function fillHoles(
  ranges: RangeColumns<number>,
  sameOperator: (label: number, next: number) => boolean,
): RangeColumns<number> {
  const last = Uint32Array.from(ranges.last, (end, i) => {
    const nextStart = ranges.first[i + 1];
    const label = ranges.label[i];
    const nextLabel = ranges.label[i + 1];
    if (nextStart === undefined || label === undefined || nextLabel === undefined) return end;
    const hole = nextStart - end - 1;
    return hole > 0 && hole <= MAX_HOLE && sameOperator(label, nextLabel) ? nextStart - 1 : end;
  });
  return { ...ranges, last };
}
