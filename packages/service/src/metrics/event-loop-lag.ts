import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const QUIET_AFTER_MS = 10_000;

/** As prom-client names them, so that ready-made dashboards find them. */
const GAUGES = [
  ['p50', 'The 50th percentile of the event loop’s delays', 'average'],
  ['p99', 'The 99th percentile of the event loop’s delays', 'average'],
  ['max', 'The longest delay of the event loop', 'max'],
] as const;

/**
 * The event loop’s delays since the last scrape, measured only while validations arrive: measuring wakes the process a
 * hundred times a second. Returns a function to call for each validation.
 */
export function watchEventLoop(register: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  const values = {
    p50: () => delays.percentile(50),
    p99: () => delays.percentile(99),
    max: () => delays.max,
  };
  let read = 0;
  for (const [name, help, aggregator] of GAUGES)
    new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `${help} since the last scrape, while validations arrive.`,
      aggregator,
      registers: [register],
      collect() {
        this.set(delays.count === 0 ? 0 : values[name]() / 1e9);
        read += 1;
        if (read % GAUGES.length === 0) delays.reset();
      },
    });
  let measuring: NodeJS.Timeout | undefined;
  let arrived = false;
  const look = () => {
    if (arrived) {
      arrived = false;
      return;
    }
    delays.disable();
    clearInterval(measuring);
    measuring = undefined;
  };
  return () => {
    arrived = true;
    if (measuring !== undefined) return;
    delays.enable();
    measuring = setInterval(look, QUIET_AFTER_MS).unref();
  };
}
