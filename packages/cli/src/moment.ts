import { DAY_MS, HOUR_MS } from '@postern/contract';
/** A point in time for machines: ISO 8601 in UTC. */
export function isoMoment(ms: number): string;
export function isoMoment(ms: number | null): string | null;
export function isoMoment(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

const STEPS: readonly (readonly [string, number])[] = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', 60_000],
];

/** A point in time for people: `3 d ago`, `in 2 h`, `just now`. */
export function relativeMoment(ms: number, now: number): string {
  const distanceMs = Math.abs(ms - now);
  for (const [unit, unitMs] of STEPS) {
    if (distanceMs < unitMs) continue;
    // Future times are rounded, so that a new key for 90 days does not show 89.
    if (ms > now) return `in ${Math.round(distanceMs / unitMs)} ${unit}`;
    return `${Math.floor(distanceMs / unitMs)} ${unit} ago`;
  }
  return ms <= now ? 'just now' : 'in a moment';
}
