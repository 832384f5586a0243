import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { watchEventLoop } from './metrics.ts';

it('measures nothing before a validation arrives, then the delays since the last scrape', async () => {
  const registry = new Registry();
  const arrived = watchEventLoop(registry);
  const longest = async () =>
    Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await registry.metrics())?.[1]);
  // Long enough for several measurements, if there were any.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  await new Promise(setImmediate);
  expect(await longest()).toBe(0);
  arrived();
  await expect.poll(longest).toBeGreaterThan(0);
});
