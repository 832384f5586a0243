import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createWorkerTotals } from './worker-metrics.ts';

/** A worker’s registry after it answered this many requests. */
async function snapshotOf(requests: number): Promise<object[]> {
  const registry = new Registry();
  const registers = [registry];
  new Counter({ name: 'requests_total', help: 'h', labelNames: ['status'], registers }).inc(
    { status: '200' },
    requests,
  );
  new Gauge({ name: 'in_flight', help: 'h', registers }).set(requests);
  const seconds = new Histogram({ name: 'seconds', help: 'h', buckets: [1], registers });
  for (let number = 0; number < requests; number += 1) seconds.observe(0.5);
  return registry.getMetricsAsJSON();
}

const seriesValue = (text: string, series: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1),
  );

test('a sum of counters never falls when a worker ends and another begins', async () => {
  const totals = createWorkerTotals();
  const seen: number[] = [];
  const look = async () => {
    const text = await totals.text([]);
    seen.push(seriesValue(text, 'requests_total{status="200"}'));
    return text;
  };
  totals.update(1, await snapshotOf(300));
  totals.update(2, await snapshotOf(300));
  await look();
  await totals.retire(1);
  await look();
  totals.update(3, await snapshotOf(0));
  await look();
  // A report that was on its way when its worker ended is not counted twice.
  totals.update(1, await snapshotOf(300));
  const text = await look();
  totals.update(3, await snapshotOf(50));
  await look();
  await totals.retire(2);
  await totals.retire(3);
  const last = await look();
  expect(seen).toEqual([600, 600, 600, 600, 650, 650]);
  expect(seriesValue(text, 'seconds_count')).toBe(600);
  expect(seriesValue(text, 'seconds_bucket{le="1"}')).toBe(600);
  // What is in flight is gone with its worker.
  expect(seriesValue(text, 'in_flight')).toBe(300);
  expect(last).not.toContain('in_flight ');
});
