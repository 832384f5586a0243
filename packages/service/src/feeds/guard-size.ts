import { DAY_MS } from '@postern/contract';

/** The baseline of a list’s size, from which sudden changes are measured. */
interface SizeRange {
  /** Follows a larger value immediately and a smaller one slowly. */
  readonly high: number;
  /** Follows a smaller value immediately and a larger one slowly. */
  readonly low: number;
}

/** The accepted value and its time. `null` if the source has no such value. */
export interface FeedSizes {
  readonly at: number;
  readonly entries: SizeRange;
  readonly ipv4Addresses: SizeRange | null;
}

export interface MeasuredSizes {
  readonly entries: number;
  readonly ipv4Addresses: number | null;
}

/** A list that loses more than half, or grows threefold, is broken or poisoned. */
const SHRINK_LIMIT = 0.5;
const GROWTH_LIMIT = 3;
/** Small lists change by chance. */
const ENTRIES_GROWTH_FROM = 1_000;
const ADDRESSES_GROWTH_FROM = 65_536;
/** How far the baseline moves in a day. At this rate an honest list can halve or triple within three months. */
const DAILY_DRIFT = 0.02;

/**
 * Throws when a list changed too much since it was last accepted. The baseline drifts slowly, so several small steps
 * count as one large step.
 */
export function guardSizes(measured: MeasuredSizes, accepted: FeedSizes): void {
  const { entries, ipv4Addresses } = accepted;
  guardChange('entries', measured.entries, entries, ENTRIES_GROWTH_FROM);
  if (measured.ipv4Addresses !== null && ipv4Addresses !== null)
    guardChange('IPv4 addresses', measured.ipv4Addresses, ipv4Addresses, ADDRESSES_GROWTH_FROM);
}

function guardChange(what: string, now: number, { high, low }: SizeRange, growthFrom: number): void {
  if (now < high * SHRINK_LIMIT) throw new SizeChange(`shrank from ${Math.round(high)} ${what} to ${now}`);
  if (now > growthFrom && now > low * GROWTH_LIMIT)
    throw new SizeChange(`grew from ${Math.round(low)} ${what} to ${now}`);
}

/** Only the size changed, which an operator can accept. */
export class SizeChange extends Error {}

/** The baseline after a list was accepted; `before` is `undefined` for the first and after an operator’s acceptance. */
export function nextSizes(measured: MeasuredSizes, at: number, before: FeedSizes | undefined): FeedSizes {
  const days = before === undefined ? 0 : Math.max(0, at - before.at) / DAY_MS;
  return {
    at,
    entries: nextRange(measured.entries, before?.entries, days),
    ipv4Addresses:
      measured.ipv4Addresses === null
        ? null
        : nextRange(measured.ipv4Addresses, before?.ipv4Addresses ?? undefined, days),
  };
}

function nextRange(now: number, before: SizeRange | undefined, days: number): SizeRange {
  if (before === undefined) return { high: now, low: now };
  const factor = (1 + DAILY_DRIFT) ** days;
  return { high: Math.max(now, before.high / factor), low: Math.min(now, before.low * factor) };
}
