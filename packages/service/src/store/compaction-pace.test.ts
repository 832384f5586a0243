import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { compactInSteps } from './compaction-pace.ts';
import type { CompactionStep } from './store.ts';

const STEP_MS = 10;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A store whose steps are slow. Records when each step began. */
function storeWith(stepAt: (index: number) => CompactionStep) {
  const began: number[] = [];
  const compact = async () => {
    began.push(performance.now());
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    return stepAt(began.length - 1);
  };
  return { began, compact };
}

test('rests four times as long as a step took, and longer while requests wait', async () => {
  const store = storeWith((index) => (['more', 'busy', 'more', 'done'] as const)[index] ?? 'done');
  const done = compactInSteps(store, () => false);
  await vi.advanceTimersByTimeAsync(1_000);
  await done;
  const gaps = store.began.slice(1).map((at, index) => Math.round(at - (store.began[index] ?? 0)));
  expect(gaps).toEqual([50, 110, 50]);
});

test('makes no further step after the stop', async () => {
  let stopped = false;
  const store = storeWith(() => 'more');
  const done = compactInSteps(store, () => stopped);
  await vi.advanceTimersByTimeAsync(120);
  stopped = true;
  const steps = store.began.length;
  await vi.advanceTimersByTimeAsync(1_000);
  await done;
  expect(store.began).toHaveLength(steps);
});

test('lets the sweep take its turn after half a minute', async () => {
  const store = storeWith(() => 'more');
  let ended = false;
  void compactInSteps(store, () => false).then(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(29_000);
  expect(ended).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ended).toBe(true);
});
