const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A delivery that has not succeeded after this time is marked as failed. */
export const RETRIED_FOR_MS = 72 * HOUR_MS;

/**
 * Whether a webhook that fails for this long is to be switched off. An event’s first failure comes a little after it, so
 * its last attempt three days later sees a webhook that fails for a little less.
 */
export function failsForTooLong(failingForMs: number, isLastAttempt: boolean): boolean {
  return failingForMs >= (isLastAttempt ? RETRIED_FOR_MS - HOUR_MS : RETRIED_FOR_MS);
}

const PAUSES_MS = [
  5 * SECOND_MS,
  15 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
];

/**
 * When to try again after a failed attempt; `undefined` when the three days are over. The pauses grow. They vary by a
 * tenth, so that a receiver that recovers does not get everything in the same second. The last attempt is at the end of
 * the three days.
 */
export function nextAttemptAt(
  eventAt: number,
  attempts: number,
  now: number,
  random: () => number,
): number | undefined {
  const end = eventAt + RETRIED_FOR_MS;
  if (now >= end) return undefined;
  const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? SECOND_MS;
  return Math.min(now + Math.round(pause * (0.9 + 0.2 * random())), end);
}
