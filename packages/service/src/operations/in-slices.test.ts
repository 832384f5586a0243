import { expect, it } from 'vitest';
import { createSlices } from './in-slices.ts';

/** A clock that only the work moves. */
function slicesOf() {
  const time = { ms: 0, pauses: 0 };
  const slices = createSlices({
    now: () => time.ms,
    computed: () => time.ms,
    pause: async () => {
      time.pauses += 1;
      // What others do in the pause is not the replay’s.
      time.ms += 1_000;
    },
  });
  return { time, slices };
}

it('lets requests in after every few milliseconds of work, and forgets no row', async () => {
  const { time, slices } = slicesOf();
  const seen: number[] = [];
  const rows = Array.from({ length: 20 }, (_, index) => index);
  await slices(rows, (row) => {
    seen.push(row);
    time.ms += 2;
  });
  expect(seen).toEqual(rows);
  expect(time.pauses).toBe(6);
});

it('pauses after each row that takes longer than a slice', async () => {
  const { time, slices } = slicesOf();
  await slices([1, 2, 3], () => {
    time.ms += 50;
  });
  expect(time.pauses).toBe(2);
});

it('refuses what takes too long altogether, over all portions', async () => {
  const { time, slices } = slicesOf();
  let worked = 0;
  const portion = () =>
    slices([1, 2, 3, 4], () => {
      worked += 1;
      time.ms += 1_000;
    });
  await portion();
  await portion();
  await expect(portion()).rejects.toThrow(/more than 10 seconds of computing time\. Choose fewer days/);
  expect(worked).toBeLessThan(12);
});
