import { expect, it } from 'vitest';
import { rowsIn, viewOf } from './use-visible-rows.ts';

it('a long table has the rows of the window and some around them, and space for the others', () => {
  for (const scrolledBy of [-400, 0, 299, 5_000, 34_000, 90_000]) {
    const { from, to, above, below } = rowsIn(viewOf(scrolledBy, 30, 860), 1_200);
    expect(to - from).toBeLessThan(110);
    expect(above + (to - from) * 30 + below).toBe(1_200 * 30);
    // Every row that can be seen is in the page.
    const first = Math.floor(Math.max(0, scrolledBy) / 30);
    const last = Math.min(1_199, Math.floor((Math.max(0, scrolledBy) + 860) / 30));
    if (first < 1_200) expect(from).toBeLessThanOrEqual(first);
    expect(to).toBeGreaterThan(Math.min(last, 1_199));
  }
  expect(rowsIn(viewOf(5_000, 30, 860), 100)).toEqual({ from: 0, to: 100, above: 0, below: 0 });
});
