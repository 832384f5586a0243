import { crc32 } from 'node:zlib';
import {
  DOMAIN_SEED,
  finish,
  MAIL_HOST_SEED,
  NAME_SERVER_SEED,
  stepHigh,
  stepLow,
} from '@postern/contract/domain-hash';
import {
  CHECKSUM_START,
  CONFIDENCES,
  type Confidence,
  confidenceOf,
  ENTRY_KIND,
  FORMAT,
  isSiblingsOnly,
  kindOf,
  type ListDescription,
  type ListSource,
  labelKey,
  MAGIC,
  PREAMBLE_BYTES,
  slotOf,
  sourcesOf,
} from './domain-list-format.ts';
import { labelOnCheapEnding, type NameShape, subdomainShape, throwawayShape } from './domain-name-shape.ts';

export type DomainMatch =
  | { readonly kind: 'allowed' | 'relay' | 'typo'; readonly matched: string }
  | {
      readonly kind: 'listed';
      readonly matched: string;
      readonly confidence: Confidence;
      /** How many sources list it. 0 if a rule found it. */
      readonly agree: number;
      /** Which rule found it. Absent if the sources list it. */
      readonly rule?: DomainRule;
      /** The parent host of the name, for the rules about hosts. */
      readonly host?: string;
    };

/**
 * `free-host`: anybody can get subdomains for free; `sibling`: listed names are under the same domain;
 * `listed-elsewhere`: the same name is listed under another ending.
 */
type DomainRule = 'free-host' | 'sibling' | 'listed-elsewhere' | NameShape;

/**
 * `throwaway`: of a disposable email operator; `business`: of a business mail provider; `shared`: used by anybody, so
 * no evidence.
 */
type MailHostKind = 'throwaway' | 'business' | 'shared';
interface MailHostMatch {
  readonly kind: MailHostKind;
  readonly matched: string;
}

export interface DomainList {
  readonly version: string;
  /** The day of the newest content, ISO 8601. */
  readonly date: string;
  readonly entries: number;
  readonly sources: readonly ListSource[];
  /**
   * Judges a domain in A-labels, lower case, by itself and its parents. The most specific entry wins, but a listed
   * name is never less certain than a listed parent of it.
   */
  readonly lookup: (domain: string) => DomainMatch | undefined;
  /** The sources that list exactly this name. */
  readonly listedBy: (name: string) => readonly ListSource[];
  /** The owner of a mail host, by its name and its parents. */
  readonly mailHost: (exchange: string) => MailHostMatch | undefined;
  /** Whether a name server belongs to a public DNS provider. */
  readonly isSharedNameServer: (host: string) => boolean;
  /** Calls `visit` with the two hashes and the value of every entry, mail hosts and name servers included. */
  readonly forEachEntry: (visit: (high: number, low: number, value: number) => void) => void;
}

const DOT = 46;
const LISTED = ENTRY_KIND.listed;
const FREE_HOST = ENTRY_KIND.freeHost;

class CompiledDomainList implements DomainList {
  readonly version: string;
  readonly date: string;
  readonly entries: number;
  readonly sources: readonly ListSource[];
  readonly #high: Uint32Array;
  readonly #low: Uint32Array;
  readonly #values: Uint32Array;
  readonly #slots: number;

  constructor(description: ListDescription, table: Uint32Array, slots: number) {
    this.version = description.version;
    this.date = description.date;
    this.entries = description.entries;
    this.sources = description.sources;
    this.#high = table.subarray(0, slots);
    this.#low = table.subarray(slots, 2 * slots);
    this.#values = table.subarray(2 * slots, 3 * slots);
    this.#slots = slots;
  }

  #value(high: number, low: number): number {
    const slots = this.#slots;
    for (let slot = slotOf(low, slots); ; slot = slot + 1 === slots ? 0 : slot + 1) {
      const value = this.#values[slot] as number;
      if (value === 0 || (this.#high[slot] === high && this.#low[slot] === low)) return value;
    }
  }

  lookup(domain: string): DomainMatch | undefined {
    let high = DOMAIN_SEED;
    let low = ~DOMAIN_SEED;
    let found = 0;
    let foundAt = 0;
    // The nearest host that has this name under it. A host that is the name itself does not replace it.
    let host = 0;
    let hostAt = -1;
    let underHostAt = -1;
    let parent = 0;
    let parentAt = -1;
    for (let index = domain.length - 1; index >= 0; index -= 1) {
      const code = domain.charCodeAt(index);
      high = stepHigh(high, code);
      low = stepLow(low, code);
      if (index > 0 && domain.charCodeAt(index - 1) !== DOT) continue;
      if (parent !== 0) {
        host = parent;
        hostAt = parentAt;
        underHostAt = index;
        parent = 0;
      }
      const value = this.#value(finish(high), finish(low));
      if (value === 0) continue;
      if (kindOf(value) === FREE_HOST) {
        parent = value;
        parentAt = index;
      }
      if (replaces(found, value)) {
        found = value;
        foundAt = index;
      }
    }
    if (found !== 0) return describe(domain, found, foundAt);
    if (underHostAt >= 0) {
      const rule = isSiblingsOnly(host) ? 'sibling' : 'free-host';
      return byRule(domain.slice(underHostAt), rule, domain.slice(hostAt));
    }
    const rule = throwawayShape(domain) ?? subdomainShape(domain);
    if (rule !== undefined) return byRule(domain, rule);
    return this.#isListedElsewhere(domain) ? byRule(domain, 'listed-elsewhere') : undefined;
  }

  /** Operators register one name under several endings. On a cheap ending, hardly anybody else has the same one. */
  #isListedElsewhere(domain: string): boolean {
    const key = labelKey(labelOnCheapEnding(domain) ?? '');
    return key !== undefined && this.#nearestEntry(key, DOMAIN_SEED)?.at === 0;
  }

  listedBy(name: string): readonly ListSource[] {
    const entry = this.#nearestEntry(name, DOMAIN_SEED);
    if (entry === undefined || entry.at > 0 || !isListing(entry.value)) return [];
    const bits = sourcesOf(entry.value);
    return this.sources.filter((_, bit) => (bits >> bit) & 1);
  }

  mailHost(exchange: string): MailHostMatch | undefined {
    const entry = this.#nearestEntry(exchange, MAIL_HOST_SEED);
    return entry === undefined
      ? undefined
      : { kind: mailHostKind(kindOf(entry.value)), matched: exchange.slice(entry.at) };
  }

  isSharedNameServer(host: string): boolean {
    return this.#nearestEntry(host, NAME_SERVER_SEED) !== undefined;
  }

  forEachEntry(visit: (high: number, low: number, value: number) => void): void {
    for (const [slot, value] of this.#values.entries()) {
      if (value !== 0) visit(this.#high[slot] as number, this.#low[slot] as number, value);
    }
  }

  /** The entry of a name or of its nearest listed parent, and where that name begins. */
  #nearestEntry(name: string, seed: number): { readonly value: number; readonly at: number } | undefined {
    let high = seed;
    let low = ~seed;
    let entry: { readonly value: number; readonly at: number } | undefined;
    for (let index = name.length - 1; index >= 0; index -= 1) {
      const code = name.charCodeAt(index);
      high = stepHigh(high, code);
      low = stepLow(low, code);
      if (index > 0 && name.charCodeAt(index - 1) !== DOT) continue;
      const value = this.#value(finish(high), finish(low));
      if (value !== 0) entry = { value, at: index };
    }
    return entry;
  }
}

/** Whether a more specific entry replaces the parent’s. */
function replaces(found: number, value: number): boolean {
  if (kindOf(value) === FREE_HOST && confidenceOf(value) === 0) return false;
  return !isListing(found) || !isListing(value) || confidenceOf(value) >= confidenceOf(found);
}

const isListing = (value: number): boolean => kindOf(value) === LISTED || kindOf(value) === FREE_HOST;

function byRule(matched: string, rule: DomainRule, host?: string): DomainMatch {
  const match = { kind: 'listed', matched, confidence: 'medium', agree: 0, rule } as const;
  return host === undefined ? match : { ...match, host };
}

function mailHostKind(kind: number): MailHostKind {
  if (kind === ENTRY_KIND.throwawayMailHost) return 'throwaway';
  return kind === ENTRY_KIND.businessMailHost ? 'business' : 'shared';
}

function describe(domain: string, value: number, at: number): DomainMatch {
  const matched = at === 0 ? domain : domain.slice(at);
  const kind = kindOf(value);
  if (isListing(value)) {
    const confidence = CONFIDENCES[confidenceOf(value)] as Confidence;
    return { kind: 'listed', matched, confidence, agree: countBits(sourcesOf(value)) };
  }
  if (kind === ENTRY_KIND.relay) return { kind: 'relay', matched };
  return { kind: kind === ENTRY_KIND.typo ? 'typo' : 'allowed', matched };
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Reads a compiled list in place. Throws when the file is damaged: a wrong list is worse than the last good one. */
export function loadDomainList(bytes: Uint8Array): DomainList {
  // Typed arrays need alignment, which a slice of a pooled buffer may not have.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  if (aligned.byteLength < PREAMBLE_BYTES) throw new Error('domain list: the file is too short');
  const view = new DataView(aligned.buffer, aligned.byteOffset, aligned.byteLength);
  if (view.getUint32(0, true) !== MAGIC) {
    throw new Error('domain list: the file does not start with the magic number');
  }
  const format = view.getUint32(4, true);
  if (format !== FORMAT) {
    throw new Error(`domain list: format ${format} is not the one this release reads (${FORMAT})`);
  }
  const length = view.getUint32(8, true);
  if (length !== aligned.byteLength) {
    throw new Error(`domain list: ${aligned.byteLength} bytes where the header promises ${length}`);
  }
  if (crc32(aligned.subarray(CHECKSUM_START)) !== view.getUint32(12, true)) {
    throw new Error('domain list: the checksum does not match the content');
  }
  const descriptionBytes = view.getUint32(16, true);
  const slots = view.getUint32(20, true);
  const tableStart = PREAMBLE_BYTES + descriptionBytes;
  const sound = slots > 0 && tableStart + 12 * slots === length;
  if (!sound || descriptionBytes % 4 !== 0) throw new Error('domain list: the table does not fill the file');
  if (new Uint8Array(new Uint32Array([1]).buffer)[0] !== 1) {
    throw new Error('domain list: this machine is big-endian, the file is little-endian');
  }
  const text = new TextDecoder().decode(aligned.subarray(PREAMBLE_BYTES, tableStart));
  const table = new Uint32Array(aligned.buffer, aligned.byteOffset + tableStart, 3 * slots);
  return new CompiledDomainList(JSON.parse(text) as ListDescription, table, slots);
}
