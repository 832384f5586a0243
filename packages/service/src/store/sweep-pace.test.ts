import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepSweeping } from './sweep-pace.ts';

const LIMITS = { logRetentionMs: 1, outcomeRetentionMs: 180 * 86_400_000, logMaxRows: 1 };
const STEP_MS = 10;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A sweep over that many rows, with slow steps. Records when each step began. */
function sweepOver(rows: { left: number }) {
  const began: number[] = [];
  const faults: unknown[] = [];
  let tidied = 0;
  const stop = keepSweeping(
    {
      sweep: async (_now, { maxRows }) => {
        began.push(performance.now());
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
        if (Number.isNaN(rows.left)) throw new Error('The store is unavailable');
        const removed = Math.min(maxRows, rows.left);
        rows.left -= removed;
        return removed;
      },
    },
    LIMITS,
    {
      now: Date.now,
      onFault: (fault) => faults.push(fault),
      onSwept: () => {},
      mayDeleteAt: async () => true,
      between: async () => {
        tidied += 1;
      },
    },
  );
  return { began, faults, tidied: () => tidied, stop };
}

test('a backlog is deleted faster the longer it lasts, and never without pauses', async () => {
  const { began, stop } = sweepOver({ left: Number.POSITIVE_INFINITY });
  await vi.advanceTimersByTimeAsync(60_000);
  stop();
  const gaps = began.slice(1).map((at, index) => at - (began[index] ?? 0));
  expect(gaps[0]).toBeGreaterThan(4 * STEP_MS);
  expect(gaps.at(-1)).toBeLessThanOrEqual(2 * STEP_MS + 2);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2 * STEP_MS - 1);
});

test('checks less and less often while there is nothing to do, and soon again after it found something', async () => {
  const rows = { left: 0 };
  const { began, tidied, stop } = sweepOver(rows);
  await vi.advanceTimersByTimeAsync(600_000);
  const idle = began.length;
  expect(idle).toBeLessThan(18);
  expect(tidied()).toBe(idle);
  rows.left = 1;
  await vi.advanceTimersByTimeAsync(61_000);
  expect(rows.left).toBe(0);
  expect(began.length - idle).toBeGreaterThan(4);
  stop();
});

test('an unavailable store is retried later, and never after the stop', async () => {
  const rows = { left: Number.NaN };
  const { began, faults, stop } = sweepOver(rows);
  await vi.advanceTimersByTimeAsync(63_000);
  expect(faults).toHaveLength(2);
  rows.left = 600;
  await vi.advanceTimersByTimeAsync(61_000);
  expect(rows.left).toBe(0);
  stop();
  const steps = began.length;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(began).toHaveLength(steps);
});
