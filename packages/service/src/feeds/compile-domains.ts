import { crc32 } from 'node:zlib';
import { DOMAIN_SEED, hashName, MAIL_HOST_SEED, NAME_SERVER_SEED } from '@postern/contract/domain-hash';
import { readWords } from '../lists/read-list.ts';
import {
  CHECKSUM_START,
  CONFIDENCES,
  type Confidence,
  ENTRY_KIND,
  FORMAT,
  type ListDescription,
  type ListTier,
  labelKey,
  MAGIC,
  MAX_SOURCES,
  PREAMBLE_BYTES,
  packValue,
  SIBLINGS_ONLY,
  slotOf,
  slotsFor,
} from '../lookup/domain-list-format.ts';
import { isInstitution, throwawayShape } from '../lookup/domain-name-shape.ts';
import { domainToAscii } from '../model/idna.ts';
import { isReservedForInstitutions } from '../model/institution.ts';
import { isPublicSuffix, registrableDomain } from '../model/registrable-domain.ts';
import { type DomainCuration, readCuration } from './domain-curation.ts';

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Endings that people type instead of the right one. All of them exist, or exist with one more dot. */
const ENDING_SLIPS: Readonly<Record<string, readonly string[]>> = {
  '.com': ['.co', '.cm', '.om'],
  '.net': ['.bet', '.ne'],
  '.co.uk': ['.vo.uk', '.xo.uk', '.com.uk'],
};

/**
 * Every name one typing error away from such a provider: a letter missing, doubled, swapped, moved by two places, added or
 * replaced, or the number that ends a local part on the wrong side of the @. The first letter is never replaced, only
 * lost: `notmail` is a word of its own. A wrong ending may come in addition.
 */
function misspellings(): Set<string> {
  const providers = readWords('domains/often-mistyped.txt');
  const all = new Set<string>();
  for (const provider of providers) {
    const dot = provider.indexOf('.');
    const ending = provider.slice(dot);
    const endings = [ending, ...(ENDING_SLIPS[ending] ?? [])];
    for (const name of [provider.slice(0, dot), ...slips(provider.slice(0, dot))]) {
      for (const typed of endings) all.add(name + typed);
    }
  }
  for (const provider of providers) {
    all.delete(provider);
  }
  return all;
}

function* slips(name: string): Generator<string> {
  for (let number = 0; number < 100; number += 1) {
    yield number + name;
  }
  for (let at = 0; at < name.length; at += 1) {
    const before = name.slice(0, at);
    const after = name.slice(at + 1);
    yield before + after;
    yield before + after.slice(0, 1) + name.charAt(at) + after.slice(1);
    yield before + after.slice(0, 2) + name.charAt(at) + after.slice(2);
    if (at > 1) yield before.slice(0, -2) + name.charAt(at) + before.slice(-2) + after;
    for (const letter of LETTERS) {
      yield before + name.charAt(at) + letter + after;
      if (at > 0) {
        yield before + letter + after;
      }
    }
  }
}

export interface DomainSource {
  readonly name: string;
  readonly tier: ListTier;
  /** The day that the content is from, ISO 8601. */
  readonly date: string;
  readonly domains: Iterable<string>;
  /** Whether names stay valid after the source dropped them. */
  readonly history?: boolean;
}

interface Row {
  readonly name: string;
  readonly seed: number;
  readonly value: number;
}

/**
 * Compiles the sources and the project’s own lists into the file that `loadDomainList` reads. The project’s own lists
 * win over every source: no source can block what they allow. No aggregator can block what is `spared`, which are names
 * that reviewers of such lists found there by mistake.
 */
export function compileDomains(
  sources: readonly DomainSource[],
  curation: DomainCuration = readCuration(),
  spared: ReadonlySet<string> = new Set(),
): Uint8Array<ArrayBuffer> {
  if (sources.length > MAX_SOURCES) {
    throw new Error(`domain list: ${sources.length} sources, ${MAX_SOURCES} fit`);
  }
  const keptOut = new Set([...curation.allowed, ...curation.relays, ...curation.typos]);
  const { votes, counts } = collectVotes(sources, keptOut);
  const curated = sources.reduce(
    (bits, source, bit) => (source.tier === 'curated' ? bits | (1 << bit) : bits),
    0,
  );
  const siblings = addParents(votes, keptOut, curated);
  const rows = [
    ...ownLists(curation, votes, curated),
    ...listed(votes, curated, new Set(curation.freeHosts), spared),
    ...siblings,
  ];
  const date = sources.reduce(
    (newest, source) => (source.date > newest ? source.date : newest),
    '1970-01-01',
  );
  const table = fillTable([...rows, ...listedLabels(votes, curated, keptOut)]);
  const version = `${date}.${crc32(new Uint8Array(table.buffer)).toString(16).padStart(8, '0')}`;
  return frame(
    {
      version,
      date,
      entries: rows.length,
      sources: sources.map(({ name, tier, date: day }, bit) => ({
        name,
        tier,
        date: day,
        entries: counts[bit] ?? 0,
      })),
    },
    table,
  );
}

function collectVotes(sources: readonly DomainSource[], keptOut: ReadonlySet<string>) {
  const votes = new Map<string, number>();
  const counts = sources.map((source, bit) => {
    let count = 0;
    for (const raw of source.domains) {
      const domain = normalize(raw);
      if (domain === undefined) {
        continue;
      }
      const bits = votes.get(domain);
      if (bits !== undefined) {
        votes.set(domain, bits | (1 << bit));
        count += 1;
      } else if (!isPublicSuffix(domain) && !covered(domain, keptOut)) {
        votes.set(domain, 1 << bit);
        count += 1;
      }
    }
    return count;
  });
  return { votes, counts };
}

/** From this many listed subdomains on, the registered domain itself is listed. */
const CHILDREN_OF_A_SERVICE = 10;

interface Family {
  readonly children: number;
  /** Sources that list every subdomain. */
  readonly every: number;
  /** Sources that list any subdomain. */
  readonly any: number;
}

/**
 * Sources collect the subdomains that a service makes up, but not always the domain. If there are many, the domain
 * itself is listed. If a curated source lists at least one, other subdomains belong to the same owner: such parents are
 * returned as rows that only apply to their subdomains.
 */
function addParents(votes: Map<string, number>, keptOut: ReadonlySet<string>, curated: number): Row[] {
  const rows: Row[] = [];
  for (const [parent, { children, every, any }] of familiesIn(votes)) {
    if (covered(parent, keptOut) || isInstitution(parent)) continue;
    // Only sources that list every subdomain count for the parent itself.
    if (children >= CHILDREN_OF_A_SERVICE && every !== 0) votes.set(parent, every);
    else if ((any & curated) !== 0) {
      const value = packValue(any, ENTRY_KIND.freeHost, 0) | SIBLINGS_ONLY;
      rows.push({ name: parent, seed: DOMAIN_SEED, value: value >>> 0 });
    }
  }
  return rows;
}

/** Listed names by the unlisted domain that they are under. */
function familiesIn(votes: ReadonlyMap<string, number>): Map<string, Family> {
  const families = new Map<string, Family>();
  for (const [name, sources] of votes) {
    const parent = name.indexOf('.') === name.lastIndexOf('.') ? undefined : registrableDomain(name);
    if (parent === undefined || parent === name || votes.has(parent)) continue;
    const family = families.get(parent) ?? { children: 0, every: sources, any: 0 };
    families.set(parent, {
      children: family.children + 1,
      every: family.every & sources,
      any: family.any | sources,
    });
  }
  return families;
}

const DOMAIN = /^(?=.{4,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})+$/;

function normalize(raw: string): string | undefined {
  const domain = raw.trim().toLowerCase();
  if (DOMAIN.test(domain)) {
    return domain;
  }
  // Some sources use U-labels. Look-ups use A-labels.
  const ascii = domainToAscii(domain) ?? '';
  return DOMAIN.test(ascii) ? ascii : undefined;
}

/** Whether the domain or a parent of it is in the set. */
function covered(domain: string, set: ReadonlySet<string>): boolean {
  for (let rest = domain; ; ) {
    if (set.has(rest)) {
      return true;
    }
    const dot = rest.indexOf('.');
    if (dot < 0) {
      return false;
    }
    rest = rest.slice(dot + 1);
  }
}

function ownLists(curation: DomainCuration, votes: ReadonlyMap<string, number>, curated: number): Row[] {
  const rows: Row[] = [];
  const add = (names: readonly string[], kind: number, seed: number) => {
    for (const name of names) {
      rows.push({ name, seed, value: packValue(0, kind, 0) });
    }
  };
  // The first entry of a name wins, so the lists that allow come first.
  add(curation.relays, ENTRY_KIND.relay, DOMAIN_SEED);
  add(curation.allowed, ENTRY_KIND.allowed, DOMAIN_SEED);
  add(curation.typos, ENTRY_KIND.typo, DOMAIN_SEED);
  for (const name of curation.freeHosts) {
    const sources = votes.get(name) ?? 0;
    // The people who run the host have its own name. Aggregators list it because of the names under it.
    const confidence = (sources & curated) === 0 ? 0 : level('medium');
    rows.push({ name, seed: DOMAIN_SEED, value: packValue(sources, ENTRY_KIND.freeHost, confidence) });
  }
  for (const name of curation.throwaway) {
    const value = packValue(votes.get(name) ?? 0, ENTRY_KIND.listed, level('high'));
    rows.push({ name, seed: DOMAIN_SEED, value });
  }
  add(curation.throwawayMailHosts, ENTRY_KIND.throwawayMailHost, MAIL_HOST_SEED);
  add(curation.businessMailHosts, ENTRY_KIND.businessMailHost, MAIL_HOST_SEED);
  add(curation.sharedMailHosts, ENTRY_KIND.sharedMailHost, MAIL_HOST_SEED);
  add(curation.sharedNameServers, ENTRY_KIND.sharedNameServer, NAME_SERVER_SEED);
  return rows;
}

function* listed(
  votes: ReadonlyMap<string, number>,
  curated: number,
  freeHosts: ReadonlySet<string>,
  spared: ReadonlySet<string>,
) {
  const slips = misspellings();
  for (const [name, bits] of votes) {
    if (freeHosts.has(name) || ((bits & curated) === 0 && spared.has(name))) {
      continue;
    }
    // Aggregators collect bouncing domains, which includes misspellings.
    const slip = (bits & curated) === 0 && slips.has(name);
    const value = slip
      ? packValue(0, ENTRY_KIND.typo, 0)
      : packValue(bits, ENTRY_KIND.listed, level(confidenceIn(name, bits, curated)));
    yield { name, seed: DOMAIN_SEED, value };
  }
}

/** The labels of registered domains that curated sources list. A domain is not accused of having the label of a real one. */
function* listedLabels(votes: ReadonlyMap<string, number>, curated: number, keptOut: ReadonlySet<string>) {
  const labelOf = (name: string): string => name.slice(0, name.indexOf('.'));
  const done = new Set([...keptOut].map(labelOf));
  for (const [name, bits] of votes) {
    const label = labelOf(name);
    const key = (bits & curated) === 0 || done.has(label) ? undefined : labelKey(label);
    if (key === undefined || registrableDomain(name) !== name) continue;
    done.add(label);
    yield { name: key, seed: DOMAIN_SEED, value: packValue(bits, ENTRY_KIND.listedLabel, 0) };
  }
}

const level = (confidence: Confidence): number => CONFIDENCES.indexOf(confidence);

/** Such short names under the old endings are decades old and expensive. They are not wasted on disposable mail. */
const SHORT_OLD_NAME = /^[a-z0-9]{1,3}\.(?:com|net|org)$/;

/**
 * Aggregators copy each other, so two of them are hardly better than one. A suspicious name adds real confidence. A
 * suffix for institutions lowers the confidence of a listing without a curated source. A suffix reserved for
 * authorities and universities lowers it for every listing.
 */
function confidenceIn(name: string, bits: number, curated: number): Confidence {
  if (isReservedForInstitutions(name)) return 'low';
  if ((bits & curated) !== 0 || throwawayShape(name) !== undefined) return 'high';
  return isInstitution(name) || SHORT_OLD_NAME.test(name) ? 'low' : 'medium';
}

function fillTable(rows: readonly Row[]): Uint32Array<ArrayBuffer> {
  const slots = slotsFor(rows.length);
  const table = new Uint32Array(3 * slots);
  for (const { name, seed, value } of rows) {
    const { high, low } = hashName(name, seed);
    let slot = slotOf(low, slots);
    while (table[2 * slots + slot] !== 0 && (table[slot] !== high || table[slots + slot] !== low)) {
      slot = slot + 1 === slots ? 0 : slot + 1;
    }
    if (table[2 * slots + slot] === 0) {
      table[slot] = high;
      table[slots + slot] = low;
      table[2 * slots + slot] = value;
    }
  }
  return table;
}

function frame(description: ListDescription, table: Uint32Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(description));
  const textBytes = Math.ceil(text.byteLength / 4) * 4;
  const bytes = new Uint8Array(PREAMBLE_BYTES + textBytes + table.byteLength);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, FORMAT, true);
  view.setUint32(8, bytes.byteLength, true);
  view.setUint32(16, textBytes, true);
  view.setUint32(20, table.length / 3, true);
  bytes.fill(0x20, PREAMBLE_BYTES, PREAMBLE_BYTES + textBytes);
  bytes.set(text, PREAMBLE_BYTES);
  bytes.set(new Uint8Array(table.buffer), PREAMBLE_BYTES + textBytes);
  view.setUint32(12, crc32(bytes.subarray(CHECKSUM_START)), true);
  return bytes;
}
