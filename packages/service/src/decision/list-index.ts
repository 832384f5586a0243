import { type Cidr, firstAddress, parseCidr } from '../model/cidr.ts';
import { getOrMake } from '../model/get-or-make.ts';
import type { IpAddress } from '../model/ip-address.ts';
import { type ListKind, type ListValue, parseListValue } from '../model/list-value.ts';
import type { ListEntry } from '../model/project.ts';

/** What entries of a list are compared with. */
export interface ListedRequest {
  /** The inbox’s names, see `namesOfInbox`. */
  readonly names: readonly string[];
  /** Hashes as the log shows them. */
  readonly person: string;
  readonly device: string | undefined;
  readonly domain: string;
  /** What receives the domain’s mail. */
  readonly mailHost: string;
  readonly ip: IpAddress | undefined;
  /** Looked up only if a list names an operator or a country. */
  readonly network: () => { readonly asn?: number; readonly country?: string } | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface ListHit {
  readonly kind: ListKind;
  /** How specific the entry is; the greater one wins. */
  readonly rank: number;
}

/**
 * How specific the kinds of entries are: one person, one device, addresses by the length of their range, a domain by
 * its length, a mail host, an operator, a country.
 */
const RANK = {
  person: 6_000,
  device: 5_000,
  range: 4_000,
  domain: 3_000,
  mx: 2_500,
  asn: 2_000,
  country: 1_000,
};

/** The keyed hashes of the log. */
const HASH = /^[\w-]{22}$/;
const COUNTRY = /^[A-Z]{2}$/;
/** RFC 1035, section 2.3.4, without the last dot. A rule can ask for any text. */
const LONGEST_DOMAIN = 253;

/** From a value to the time when its entry ends. */
type Ends = Map<string, number>;

/** One list, prepared for look-ups whose time does not depend on its length. */
export class ListIndex {
  /** Names of inboxes, and hashes with their kind in front. */
  readonly #people: Ends = new Map();
  #hashed: Ends | undefined;
  readonly #devices: Ends = new Map();
  readonly #domains: Ends = new Map();
  /** The length of the longest listed domain. */
  #longestListed = 0;
  readonly #mailHosts: Ends = new Map();
  readonly #operators: Ends = new Map();
  readonly #countries: Ends = new Map();
  /** By prefix length, the longest first. */
  readonly #ranges: RangeIndex = { 4: [], 6: [] };

  constructor(entries: readonly ListEntry[]) {
    for (const { value, expiresAt = Number.POSITIVE_INFINITY } of entries) {
      const parsed = parseListValue(value);
      if (parsed !== undefined) this.#add(parsed, expiresAt);
    }
    for (const lengths of [this.#ranges[4], this.#ranges[6]])
      lengths.sort((one, other) => other.prefixLength - one.prefixLength);
  }

  /** The most specific entry that covers the request. */
  find(request: ListedRequest): ListHit | undefined {
    return this.#findPerson(request) ?? this.#findPlace(request) ?? this.#findNetwork(request);
  }

  /**
   * Whether an entry covers a value of a request: an operator’s number, a country, a range, a domain, or the hash of a
   * person or a device. `hashInbox` hashes an inbox’s name as the log does.
   */
  covers(value: string | number, now: number, hashInbox: (name: string) => string): boolean {
    if (typeof value === 'number') return lives(this.#operators, `${value}`, now);
    if (HASH.test(value))
      return (
        lives(this.#devices, value, now) ||
        lives(this.#people, `person:${value}`, now) ||
        lives(this.#hashedPeople(hashInbox), value, now)
      );
    if (COUNTRY.test(value)) return lives(this.#countries, value, now);
    // Each label is looked up with all that follow it, which takes long for a text with a thousand dots.
    if (value.length > LONGEST_DOMAIN) return false;
    const range = value.includes('/') ? parseCidr(value) : undefined;
    if (range === undefined) return this.longestDomain(value, now) !== undefined;
    return this.#longestRange(range.base, now, range.prefixLength) !== undefined;
  }

  /** Made when a rule asks for a person the first time. */
  #hashedPeople(hashInbox: (name: string) => string): Ends {
    this.#hashed ??= new Map([...this.#people].map(([name, end]) => [hashInbox(name), end]));
    return this.#hashed;
  }

  #findPerson({ names, person, device, now }: ListedRequest): ListHit | undefined {
    if (lives(this.#people, `person:${person}`, now)) return { kind: 'person', rank: RANK.person };
    for (const name of names) {
      if (lives(this.#people, name, now)) return { kind: 'address', rank: RANK.person };
    }
    const hasDevice = device !== undefined && lives(this.#devices, device, now);
    return hasDevice ? { kind: 'device', rank: RANK.device } : undefined;
  }

  #findPlace({ ip, domain, now }: ListedRequest): ListHit | undefined {
    const prefixLength = ip === undefined ? undefined : this.#longestRange(ip, now);
    if (ip !== undefined && prefixLength !== undefined) {
      const whole = prefixLength === (ip.version === 4 ? 32 : 128);
      return { kind: whole ? 'ip' : 'range', rank: RANK.range + prefixLength };
    }
    const length = this.longestDomain(domain, now);
    return length === undefined ? undefined : { kind: 'domain', rank: RANK.domain + length };
  }

  #findNetwork({ mailHost, network, now }: ListedRequest): ListHit | undefined {
    if (this.#isHostListed(mailHost, now)) return { kind: 'mx', rank: RANK.mx };
    if (this.#operators.size + this.#countries.size === 0) return undefined;
    const { asn, country } = network() ?? {};
    if (asn !== undefined && lives(this.#operators, `${asn}`, now)) return { kind: 'asn', rank: RANK.asn };
    if (country !== undefined && lives(this.#countries, country, now))
      return { kind: 'country', rank: RANK.country };
    return undefined;
  }

  /** The length of the longest listed name that is the domain or a parent of it. */
  longestDomain(domain: string, now: number): number | undefined {
    if (this.#domains.size === 0) return undefined;
    // Making and hashing a name takes longer the longer it is, so names that cannot be listed are skipped.
    for (let start = 0; ; ) {
      if (domain.length - start <= this.#longestListed) {
        const name = domain.slice(start);
        if (lives(this.#domains, name, now)) return name.length;
      }
      const dot = domain.indexOf('.', start);
      if (dot < 0) return undefined;
      start = dot + 1;
    }
  }

  /** The host, or what it is under. */
  #isHostListed(host: string, now: number): boolean {
    if (this.#mailHosts.size === 0) return false;
    for (let name = host; name !== ''; name = name.slice(name.indexOf('.') + 1)) {
      if (lives(this.#mailHosts, name, now)) return true;
      if (!name.includes('.')) break;
    }
    return false;
  }

  #longestRange(ip: IpAddress, now: number, longest = 128): number | undefined {
    for (const { prefixLength, ends } of this.#ranges[ip.version]) {
      if (prefixLength <= longest && lives(ends, firstAddress(ip, prefixLength).text, now))
        return prefixLength;
    }
    return undefined;
  }

  #add(value: ListValue, end: number): void {
    if (value.kind === 'ip' || value.kind === 'range') this.#addRange(value.cidr, end);
    else if (value.kind === 'address') for (const name of value.names) extend(this.#people, name, end);
    else if (value.kind === 'person') extend(this.#people, value.text, end);
    else if (value.kind === 'device') extend(this.#devices, value.hash, end);
    else if (value.kind === 'domain') {
      extend(this.#domains, value.domain, end);
      this.#longestListed = Math.max(this.#longestListed, value.domain.length);
    } else if (value.kind === 'mx') extend(this.#mailHosts, value.host, end);
    else if (value.kind === 'asn') extend(this.#operators, `${value.asn}`, end);
    else if (value.kind === 'country') extend(this.#countries, value.country, end);
  }

  #addRange({ base, prefixLength }: Cidr, end: number): void {
    const lengths = this.#ranges[base.version];
    let found = lengths.find((length) => length.prefixLength === prefixLength);
    if (found === undefined) {
      found = { prefixLength, ends: new Map() };
      lengths.push(found);
    }
    extend(found.ends, base.text, end);
  }
}

type RangeIndex = Readonly<Record<4 | 6, { readonly prefixLength: number; readonly ends: Ends }[]>>;

function lives(ends: Ends, key: string, now: number): boolean {
  return (ends.get(key) ?? 0) > now;
}

/** Of several entries with one value the last to end counts. */
function extend(ends: Ends, key: string, end: number): void {
  ends.set(key, Math.max(ends.get(key) ?? 0, end));
}

const parts = new WeakMap<readonly ListEntry[], Readonly<Record<'flag' | 'block', ListIndex>>>();

/** The block list’s entries that block and those that flag. */
export function indexesOfBlockList(
  list: readonly ListEntry[],
): Readonly<Record<'flag' | 'block', ListIndex>> {
  return getOrMake(parts, list, () => {
    const flags = list.filter(({ flag }) => flag === true);
    return {
      flag: new ListIndex(flags),
      block: flags.length === 0 ? indexOfList(list) : new ListIndex(list.filter(({ flag }) => flag !== true)),
    };
  });
}

/** A list is replaced when it changes, never altered, so its index lives as long as the list that was read. */
const indexes = new WeakMap<readonly ListEntry[], ListIndex>();

export function indexOfList(list: readonly ListEntry[]): ListIndex {
  return getOrMake(indexes, list, () => new ListIndex(list));
}
