import { DAY_MS, MAX_LIFETIME_DAYS } from '@postern/contract';
import { InvalidInput } from './administration.ts';

/** The lifetime of a key or a token in milliseconds. `undefined` if no days are given: it does not expire. */
export function readLifetimeDays(days: unknown): number | undefined {
  if (days === undefined || days === null) return undefined;
  if (typeof days !== 'number' || !Number.isSafeInteger(days) || days < 1 || days > MAX_LIFETIME_DAYS)
    throw new InvalidInput(
      'expiresInDays',
      `expiresInDays must be a whole number from 1 to ${MAX_LIFETIME_DAYS}.`,
    );
  return days * DAY_MS;
}
