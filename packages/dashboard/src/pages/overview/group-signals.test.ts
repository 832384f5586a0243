import { expect, it } from 'vitest';
import { groupSignals } from './group-signals.ts';

it('counts signals that differ only in their number as one, in the order of their counts', () => {
  const grouped = groupSignals([
    { signal: 'disposable_email', count: 5 },
    { signal: 'device_seen_2_times', count: 4 },
    { signal: 'device_seen_13_times', count: 3 },
    { signal: 'device_reuse', count: 1 },
  ]);
  expect(grouped).toEqual([
    { signal: 'device_seen_<N>_times', count: 7 },
    { signal: 'disposable_email', count: 5 },
    { signal: 'device_reuse', count: 1 },
  ]);
});
