/**
 * The compiled domain list: one file, searched in place without unpacking it.
 *
 * | bytes | what |
 * |---|---|
 * | 0..3 | the letters `PDOM`; all numbers are little-endian |
 * | 4..7 | format number |
 * | 8..11 | length of the whole file |
 * | 12..15 | CRC-32 of everything from byte 16 on |
 * | 16..19 | length of the description, padded to a multiple of 4 |
 * | 20..23 | slots in the table |
 * | then | description: JSON in UTF-8, padded with spaces |
 * | then | three arrays with one Uint32 for each slot: high hashes, low hashes, values; a value of 0 is an empty slot |
 */
export const MAGIC = 0x4d4f4450;
export const FORMAT = 3;
export const PREAMBLE_BYTES = 24;
export const CHECKSUM_START = 16;
export const MAX_SOURCES = 16;

export type ListTier = 'curated' | 'aggregator';

export interface ListSource {
  readonly name: string;
  /** People review curated sources entry by entry. Aggregators copy each other. */
  readonly tier: ListTier;
  /** The day that the content is from, ISO 8601. */
  readonly date: string;
  readonly entries: number;
}

export interface ListDescription {
  readonly version: string;
  readonly date: string;
  readonly entries: number;
  readonly sources: readonly ListSource[];
}

/** What an entry says. Sources are in bits 0 to 15 of a value, the kind in 16 to 19, the confidence in 20 and 21. */
export const ENTRY_KIND = {
  listed: 1,
  allowed: 2,
  relay: 3,
  typo: 4,
  /** Anybody can get a subdomain for free. */
  freeHost: 5,
  throwawayMailHost: 6,
  businessMailHost: 7,
  sharedMailHost: 8,
  sharedNameServer: 9,
  /** The name without its ending, which a curated source lists under some ending. */
  listedLabel: 10,
} as const;

/**
 * The key of a label under any ending. No domain has a `*`. Short labels are words that many people choose, so they have
 * no key.
 */
export function labelKey(label: string): string | undefined {
  return label.length < 5 ? undefined : `${label}.*`;
}

export const CONFIDENCES = ['none', 'low', 'medium', 'high'] as const;
export type Confidence = Exclude<(typeof CONFIDENCES)[number], 'none'>;

export function packValue(sources: number, kind: number, confidence: number): number {
  return (sources | (kind << 16) | (confidence << 20)) >>> 0;
}

export const sourcesOf = (value: number): number => value & 0xffff;
export const kindOf = (value: number): number => (value >>> 16) & 0xf;
export const confidenceOf = (value: number): number => (value >>> 20) & 0x3;

/** Bit 22: a host whose subdomains are disposable because some of them are listed. The host itself is not listed. */
export const SIBLINGS_ONLY = 1 << 22;
export const isSiblingsOnly = (value: number): boolean => (value & SIBLINGS_ONLY) !== 0;

/** The load factor is 0.7: a lower one costs memory, a higher one time. */
export function slotsFor(rows: number): number {
  return Math.ceil(rows / 0.7) + 8;
}

/**
 * Where the search for a hash starts. The table size is not a power of two, so that it grows with its content instead
 * of doubling.
 */
export function slotOf(low: number, slots: number): number {
  return Math.floor((low / 0x1_0000_0000) * slots);
}
