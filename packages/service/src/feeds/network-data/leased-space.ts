/**
 * Carriers announce address space that their customers rented from brokers, and it stays registered in the broker’s
 * country. No carrier here sells access in these countries, so what it announces from there is rented space, and
 * rented space behind a carrier’s own number is a rack of servers: the ranges that VPN companies moved to when their
 * hosts’ networks became known.
 */
interface LeasedSpace {
  /** Cogent, GTT, Zayo, Lumen, NTT America, Arelion, Hurricane Electric. */
  readonly carriers: readonly number[];
  readonly countries: readonly string[];
}

export const LEASED_SPACE: readonly LeasedSpace[] = [
  {
    carriers: [174, 3257, 6461, 3356, 2914, 1299, 6939],
    countries: ['AE', 'BZ', 'HN', 'IR', 'LT', 'LV', 'MD', 'MU', 'PA', 'SC', 'UA', 'VG'],
  },
  // The others have a South African business.
  { carriers: [174, 3257, 6461], countries: ['ZA'] },
];
