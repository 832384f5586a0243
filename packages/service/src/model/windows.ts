interface Month {
  readonly startMs: number;
  readonly endMs: number;
  readonly name: string;
  readonly end: string;
}

/** The last result is cached, because nearly every request is in the same month. */
let latest: Month = monthAt(0);

function monthAt(nowMs: number): Month {
  const now = new Date(nowMs);
  const startMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const endMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
  return { startMs, endMs, name: now.toISOString().slice(0, 7), end: new Date(endMs).toISOString() };
}

function monthWith(nowMs: number): Month {
  if (nowMs < latest.startMs || nowMs >= latest.endMs) latest = monthAt(nowMs);
  return latest;
}

/** The quota’s month: `YYYY-MM` in UTC. */
export function monthOf(nowMs: number): string {
  return monthWith(nowMs).name;
}

/** The first instant of the month after `nowMs`, ISO 8601 with `Z`. */
export function monthEnd(nowMs: number): string {
  return monthWith(nowMs).end;
}

export { DAY_MS, HOUR_MS } from '@postern/contract';
