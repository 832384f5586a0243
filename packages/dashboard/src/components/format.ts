import { DAY_MS, HOUR_MS } from '@postern/contract';

/** Each unit, its length, and the shortest time it is used for. Days are used up to four months, so that 90 days stay 90 days. */
const UNITS: readonly [Intl.RelativeTimeFormatUnit, unitMs: number, fromMs: number][] = [
  ['year', 365 * DAY_MS, 700 * DAY_MS],
  ['month', 30.44 * DAY_MS, 120 * DAY_MS],
  ['day', DAY_MS, DAY_MS],
  ['hour', HOUR_MS, HOUR_MS],
  ['minute', 60_000, 60_000],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const narrowRelative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });
const whole = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const moment = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { year: 'numeric', month: 'short', day: 'numeric' });

/** “3 hours ago”, or “3h ago” where there is little room. */
export function relativeTime(at: number, now: number, narrow = false): string {
  const away = at - now;
  for (const [unit, unitMs, fromMs] of UNITS) {
    // Half a second early: “in 90 days” was 90 days when it was asked for.
    if (Math.abs(away) >= fromMs - 500) {
      // The past rounds down (an hour ago until two have passed), the future to the nearest.
      const units = away < 0 ? Math.ceil(away / unitMs) : Math.round(away / unitMs);
      return (narrow ? narrowRelative : relative).format(units === 0 ? Math.sign(away) : units, unit);
    }
  }
  if (narrow && away < -5_000) return `${Math.floor(-away / 1_000)}s ago`;
  // What has just happened is in the future if this computer’s clock is a little late.
  return away > 5_000 ? 'in a moment' : 'just now';
}

export const absoluteTime = (at: number) => moment.format(at);

/** With the time zone, which changes with the season. */
export function exactTime(at: number): string {
  const name = zone.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return `${moment.format(at)} ${name}`;
}
const span = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
/** “19 Nov 2026, 02:10–03:00”. */
export const timeSpan = (from: number, to: number) => span.formatRange(from, to);
export const dayOf = (at: number) => day.format(at);
export const count = (value: number) => whole.format(value);
export const shortCount = (value: number) => (value < 10_000 ? whole.format(value) : compact.format(value));

export function percent(part: number, of: number): string {
  if (of === 0) return '0%';
  const share = (part / of) * 100;
  if (share > 0 && share < 0.1) return '<0.1%';
  // Nearly all is not all.
  return share >= 99.5 && share < 100
    ? '>99%'
    : `${share < 10 ? Math.round(share * 10) / 10 : Math.round(share)}%`;
}

export function milliseconds(value: number): string {
  if (value < 1) return `${Math.round(value * 100) / 100} ms`;
  if (value < 10) return `${Math.round(value * 10) / 10} ms`;
  return value < 1_000 ? `${Math.round(value)} ms` : `${Math.round(value / 100) / 10} s`;
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
