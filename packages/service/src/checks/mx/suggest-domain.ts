import { createRequire } from 'node:module';
import { readRows, readWords } from '../../lists/read-list.ts';
import { BoundedMap } from '../../model/bounded-map.ts';
import { differsInVowelsOnly, hasLettersOutOfPlace, typingDistance } from './typing-distance.ts';

/** How likely a similar name is a misspelling of this one. The head of the list file explains each kind. */
type BrandKind = 'giant' | 'distinctive' | 'plain' | 'exact';

export interface MailBrand {
  readonly name: string;
  readonly kind: BrandKind;
  /** The suffixes of the brand, the usual one first. */
  readonly suffixes: readonly string[];
}

/** Best known first. If two brands are equally near, the first one wins. */
export const MAIL_BRANDS: readonly MailBrand[] = readRows('domains/mail-brands.tsv').map(
  ([kind, name = '', suffixes = '']) => ({ name, kind: kind as BrandKind, suffixes: suffixes.split(' ') }),
);

/** The largest distance of the name, by how likely a similar name is a misspelling. */
function nameLimit({ name, kind }: MailBrand): number {
  if (kind === 'giant') return name.length >= 7 ? 1.6 : name.length >= 5 ? 1.3 : 0.65;
  if (kind === 'distinctive') return name.length >= 6 ? 1.25 : 0.8;
  if (kind === 'exact') return 0;
  return name.length >= 5 ? 0.85 : 0.65;
}

/** The largest distance of the name if the suffix is wrong too. */
const BOTH_OFF_LIMIT: Readonly<Record<MailBrand['kind'], number>> = {
  giant: 1,
  distinctive: 0.8,
  plain: 0,
  exact: 0,
};

/** Suffixes that exist but are typos after these names: hotmail.cm has no mailboxes. */
const SLIPS: Readonly<Record<string, string>> = {
  cm: 'com',
  om: 'com',
  'com.com': 'com',
  ne: 'net',
  et: 'net',
  bet: 'net',
  co: 'com',
  uk: 'co.uk',
  'com.uk': 'co.uk',
  // Neither suffix exists.
  'co.br': 'com.br',
  'co.au': 'com.au',
  // Congo and Christmas Island are one key away from Switzerland and the Czech Republic.
  cg: 'ch',
  cx: 'cz',
};
/** Under these suffixes even a common word can be a real domain. */
const POPULAR_SLIPS = new Set(['co', 'uk', 'com.uk']);

/** Gmail has one domain. People guess that it also has these. */
const GMAIL_GUESSES = new Set(
  'net org info biz fr it es ca in us eu uk nl be se no dk fi ie pt ro hu gr cz sk at ch cl mx'.split(' '),
);
/** `com.br`, `co.za`: people also try Gmail under such second-level suffixes. */
const SECOND_LEVEL = /^com?\.[a-z]{2}$/;

interface Candidate extends MailBrand {
  readonly letters: number;
  readonly limit: number;
  /** How many letters may be in one word and not in the other. Swapped and doubled letters do not count. */
  readonly maxLetters: number;
}

const candidates: readonly Candidate[] = MAIL_BRANDS.map((brand) => {
  const limit = nameLimit(brand);
  return {
    ...brand,
    letters: letterSet(brand.name),
    limit,
    maxLetters: limit < 0.7 ? 0 : limit < 1.4 ? 3 : 4,
  };
});
const bySuffix = new Map<string, Candidate[]>();
for (const candidate of candidates) {
  for (const suffix of candidate.suffixes) bySuffix.set(suffix, [...(bySuffix.get(suffix) ?? []), candidate]);
}
const topLevelDomains: ReadonlySet<string> = new Set<string>(createRequire(import.meta.url)('tlds'));
const realDomains = new Set(
  ['domains/never-corrected.txt', 'domains/mail-providers.txt'].flatMap((list) => readWords(list)),
);
/** Well-known domains without their dots. */
const byDotless = new Map<string, string>();
/** Every domain without dots and hyphens. A name without a dot is not registered, so short names count too: `gmxde`, `web-de`. */
const byLetters = new Map<string, string>();
for (const { name, kind, suffixes } of [...MAIL_BRANDS].reverse()) {
  for (const suffix of [...suffixes].reverse()) {
    realDomains.add(`${name}.${suffix}`);
    byLetters.set(`${name}${suffix}`.replace(/[.-]/g, ''), `${name}.${suffix}`);
    if (kind === 'giant' || kind === 'distinctive')
      byDotless.set(`${name}${suffix.replaceAll('.', '')}`, `${name}.${suffix}`);
  }
  if (kind === 'giant') byDotless.set(name, `${name}.${suffixes[0]}`);
}

/** Mistakes that people make by habit, such as a more common word. */
const HABITUAL_MISTAKES: Readonly<Record<string, string>> = {
  'icould.com': 'icloud.com',
  't.online.de': 't-online.de',
};

const LONGEST = 24;

/**
 * The well-known mail domain that a domain is a misspelling of, if that is likely enough not to hurt real domains.
 * Known domains are never corrected, and every correction needs a likely typing error.
 */
export function suggestDomain(asciiDomain: string): string | undefined {
  if (asciiDomain.length > LONGEST || realDomains.has(asciiDomain)) return undefined;
  if (asciiDomain.startsWith('www.') && realDomains.has(asciiDomain.slice(4))) return asciiDomain.slice(4);
  const dotless = byDotless.get(asciiDomain.replaceAll('.', ''));
  if (dotless !== undefined) return dotless;

  if (Object.hasOwn(HABITUAL_MISTAKES, asciiDomain)) return HABITUAL_MISTAKES[asciiDomain];

  const dot = asciiDomain.indexOf('.');
  if (dot === -1) return byLetters.get(asciiDomain.replaceAll('-', ''));
  const last = asciiDomain.lastIndexOf('.');
  const shorter = asciiDomain.slice(0, last);
  // comcast.net.net
  if (shorter.endsWith(asciiDomain.slice(last)) && realDomains.has(shorter)) return shorter;
  const typedName = asciiDomain.slice(0, dot);
  const typedSuffix = asciiDomain.slice(dot + 1);
  if (typedName === 'gmail' && (GMAIL_GUESSES.has(typedSuffix) || SECOND_LEVEL.test(typedSuffix)))
    return 'gmail.com';
  return remembered(asciiDomain, () => nearestDomain(typedName, typedSuffix));
}

/** Comparing a domain with every brand takes some microseconds, and people of one company come again and again. */
const nearest = new BoundedMap<string, string | null>(4_096);

function remembered(domain: string, find: () => string | undefined): string | undefined {
  const known = nearest.get(domain);
  if (known !== undefined) return known ?? undefined;
  const found = find();
  nearest.set(domain, found ?? null);
  return found;
}

function nearestDomain(typedName: string, typedSuffix: string): string | undefined {
  const suffixIsWrong = Object.hasOwn(SLIPS, typedSuffix) || !mayExist(typedSuffix);
  // charte.rnet, freef.r: only the dot is in the wrong place, and no real domain ends like this.
  // uolcom.br: only universities have names directly under br.
  if ((suffixIsWrong && !POPULAR_SLIPS.has(typedSuffix)) || typedSuffix === 'br') {
    const dotMoved = byLetters.get(`${typedName}${typedSuffix}`.replace(/[.-]/g, ''));
    if (dotMoved !== undefined) return dotMoved;
  }
  const typedLetters = letterSet(typedName);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of suffixIsWrong ? candidates : (bySuffix.get(typedSuffix) ?? [])) {
    const { name, limit, letters, maxLetters } = candidate;
    const shorter = name.length - typedName.length;
    if (shorter > (limit > 1.4 ? 2 : 1) || shorter < -2) continue;
    if (letters !== typedLetters && countBits(letters ^ typedLetters) > maxLetters) continue;
    const nameDistance = nameDistanceOf(typedName, candidate);
    if (nameDistance >= bestDistance) continue;
    const suffix = suffixFor(candidate, typedSuffix, nameDistance);
    if (suffix === undefined || nameDistance + suffix.distance >= bestDistance) continue;
    // With the suffix corrected the name is already a real domain: love.con is not live.com.
    if (nameDistance > 0 && suffix.distance > 0 && realDomains.has(`${typedName}.${suffix.text}`)) continue;
    best = `${name}.${suffix.text}`;
    bestDistance = nameDistance + suffix.distance;
  }
  return best;
}

/** A suffix that exists can be intended. */
function mayExist(suffix: string): boolean {
  return topLevelDomains.has(suffix.slice(suffix.lastIndexOf('.') + 1)) && !isBrokenSecondLevel(suffix);
}

/** The cost of two slips of the same kind that count as one. Only well-known names allow this. */
const ONE_LONG_SLIP = 1;
const MAX_SHORTENED = 1.45;

function nameDistanceOf(typed: string, { name, kind, limit }: Candidate): number {
  if (typed === name) return 0;
  // The pair that reads as one letter.
  if (typed.includes('rn') && typed.replace('rn', 'm') === name) return 0.5;
  // With two letters missing too little of the name is left: hmail is not hotmail.
  const reach = typed.length < name.length ? Math.min(limit, MAX_SHORTENED) : limit;
  const distance = typingDistance(typed, name, reach);
  const wellKnown = kind === 'giant' || (kind === 'distinctive' && name.length >= 6);
  if (distance <= ONE_LONG_SLIP || !wellKnown || name.length < 5) return distance;
  const slipped = hasLettersOutOfPlace(typed, name) || (kind === 'giant' && differsInVowelsOnly(typed, name));
  return slipped ? ONE_LONG_SLIP : distance;
}

interface Suffix {
  readonly text: string;
  readonly distance: number;
}

function suffixFor(brand: MailBrand, typed: string, nameDistance: number): Suffix | undefined {
  if (brand.suffixes.includes(typed)) return { text: typed, distance: 0 };
  if (nameDistance > BOTH_OFF_LIMIT[brand.kind]) return undefined;
  const slip = SLIPS[typed];
  const spellsName = brand.kind === 'plain' || brand.kind === 'exact';
  if (slip !== undefined && brand.suffixes.includes(slip) && !(spellsName && POPULAR_SLIPS.has(typed))) {
    return { text: slip, distance: 0.5 };
  }
  if (mayExist(typed)) return undefined;
  const nearest = nearestSuffix(brand, typed, nameDistance);
  if (nearest !== undefined && nearest.distance !== Number.POSITIVE_INFINITY) return nearest;
  // The name is certain and the ending does not exist, so no real domain can be intended.
  const [usual] = brand.suffixes;
  const isName = !spellsName || brand.name.length >= 5;
  const certain = nameDistance === 0 && isName && LOST_ENDING.test(typed);
  return certain && usual !== undefined ? { text: usual, distance: 1.8 } : undefined;
}

/** An ending typed with the wrong keys: `acm`, `vop`, `cpm`. */
const LOST_ENDING = /^[a-z]{2,4}$/;

/** `con.br`, `c.uk`: the top-level domain is right, but no registry has this second level. */
function isBrokenSecondLevel(typed: string): boolean {
  const [second, top, ...more] = typed.split('.');
  if (second === undefined || top === undefined || more.length > 0) return false;
  return second !== 'com' && second !== 'co' && second !== 'net' && second !== 'org' && second.length <= 4;
}

function nearestSuffix(brand: MailBrand, typed: string, nameDistance: number): Suffix | undefined {
  let nearest: Suffix | undefined;
  for (const text of brand.suffixes) {
    // Two letters are too few to recognise a slip, unless the name is certain.
    if (text.length === 2 && nameDistance > 0) continue;
    if (Math.abs(text.length - typed.length) > 1 && !text.startsWith(typed)) continue;
    const limit = text.length === 2 ? 1.1 : nameDistance === 0 && brand.kind !== 'plain' ? 1.7 : 1.3;
    const isCutOff = text.startsWith(typed) || (nameDistance === 0 && text.endsWith(typed));
    const distance = isCutOff ? 0.9 : typingDistance(typed, text, limit);
    if (distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { text, distance };
  }
  return nearest;
}

/** The letters of a word as a bit set. Digits and the hyphen share the remaining bits. */
function letterSet(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index);
    bits |= code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << 26;
  }
  return bits;
}

/** Counts the set bits in constant time, in pairs, fours and eights. */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
