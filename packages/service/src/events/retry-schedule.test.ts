import { expect, it } from 'vitest';
import { nextAttemptAt, RETRIED_FOR_MS } from './retry-schedule.ts';

const START = Date.UTC(2026, 10, 15);

it('tries again after about five seconds, then with growing pauses, for three days to the end', () => {
  for (const random of [() => 0, () => 0.5, () => 1]) {
    const pauses: number[] = [];
    let now = START + 50;
    for (let attempts = 1; ; attempts += 1) {
      const next = nextAttemptAt(START, attempts, now, random);
      if (next === undefined) break;
      pauses.push(next - now);
      now = next;
    }
    expect(pauses[0]).toBeGreaterThanOrEqual(4_500);
    expect(pauses[0]).toBeLessThanOrEqual(5_500);
    // The last one only fills up the three days.
    const growing = pauses.slice(0, -1);
    expect(growing).toEqual(growing.toSorted((one, other) => one - other));
    expect(now).toBe(START + RETRIED_FOR_MS);
    expect(pauses.length).toBeGreaterThan(20);
  }
});
