import { DAY_MS, HOUR_MS } from '@postern/contract';
import { UsageError } from './failure.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: HOUR_MS,
  d: DAY_MS,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** Parses a time span such as `90d` into milliseconds. */
export function parseDuration(option: string, text: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})([smhdwy])$/.exec(text.trim().toLowerCase()) ?? [];
  const unitMs = UNITS_MS[unit];
  if (amount === undefined || unitMs === undefined) {
    throw new UsageError(`${option} '${text}' is not a time span. Write 30s, 15m, 12h, 90d, 8w or 1y.`);
  }
  return Number(amount) * unitMs;
}
