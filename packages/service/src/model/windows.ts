/** The quota’s month: `YYYY-MM` in UTC. */
export function monthOf(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 7);
}

/** The first instant of the month after `nowMs`, ISO 8601 with `Z`. */
export function monthEnd(nowMs: number): string {
  const now = new Date(nowMs);
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
}

export const DAY_MS = 24 * 60 * 60 * 1000;
