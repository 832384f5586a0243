import { createRequire } from 'node:module';
import { MAIL_BRANDS, type MailBrand } from './mail-brands.ts';
import { REAL_DOMAINS } from './real-domains.ts';
import { typingDistance } from './typing-distance.ts';

/** How far the name may be off, by how sure a near miss is to be one. */
function nameLimit({ name, kind }: MailBrand): number {
  if (kind === 'giant') return name.length >= 7 ? 1.5 : name.length >= 5 ? 1.3 : 0.65;
  if (kind === 'distinctive') return name.length >= 6 ? 1.2 : 0.8;
  return name.length >= 4 ? 0.65 : name.length === 3 ? 0.45 : 0;
}

/** How far the name may be off when the suffix is off as well. */
const BOTH_OFF_LIMIT: Readonly<Record<MailBrand['kind'], number>> = { giant: 1, distinctive: 0.8, plain: 0 };

/**
 * Suffixes that exist, and yet behind these names are slips: nobody’s mail lives at hotmail.cm. Plain words are
 * somebody’s name under any suffix.
 */
const SLIPS: Readonly<Record<string, string>> = {
  co: 'com',
  cm: 'com',
  om: 'com',
  'com.com': 'com',
  ne: 'net',
  et: 'net',
  bet: 'net',
  uk: 'co.uk',
  'com.uk': 'co.uk',
};

/** Gmail has one domain; these are where people guess that it has more. */
const GMAIL_GUESSES = new Set(
  'net org info biz fr it es ca in us eu uk co.uk co.in com.br com.au com.mx com.ar com.co com.tr com.ph'.split(
    ' ',
  ),
);

interface Candidate extends MailBrand {
  readonly letters: number;
  readonly limit: number;
}

const candidates: readonly Candidate[] = MAIL_BRANDS.map((brand) => {
  return { ...brand, letters: letterSet(brand.name), limit: nameLimit(brand) };
});
const topLevelDomains: ReadonlySet<string> = new Set<string>(createRequire(import.meta.url)('tlds'));
const known = new Set(REAL_DOMAINS);
/** What a well-known domain looks like with its dots lost. */
const byDotless = new Map<string, string>();
for (const { name, kind, suffixes } of [...MAIL_BRANDS].reverse()) {
  for (const suffix of [...suffixes].reverse()) {
    known.add(`${name}.${suffix}`);
    if (kind !== 'plain') byDotless.set(`${name}${suffix.replaceAll('.', '')}`, `${name}.${suffix}`);
  }
  if (kind === 'giant') byDotless.set(name, `${name}.${suffixes[0]}`);
}

const LONGEST = 24;

/**
 * The well-known mail domain that a domain is a misspelling of, as far as one can say so without wronging a real one:
 * known domains are never corrected, and every correction needs a likely slip of the hand.
 */
export function suggestDomain(asciiDomain: string): string | undefined {
  if (asciiDomain.length > LONGEST || known.has(asciiDomain)) return undefined;
  if (asciiDomain.startsWith('www.') && known.has(asciiDomain.slice(4))) return asciiDomain.slice(4);
  const dotless = byDotless.get(asciiDomain.replaceAll('.', ''));
  if (dotless !== undefined) return dotless;

  const dot = asciiDomain.indexOf('.');
  if (dot === -1) return undefined;
  const typedName = asciiDomain.slice(0, dot);
  const typedSuffix = asciiDomain.slice(dot + 1);
  const typedLetters = letterSet(typedName);
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const { name, limit } = candidate;
    if (Math.abs(name.length - typedName.length) > 2) continue;
    if (differingLetters(typedLetters ^ candidate.letters) > 4) continue;
    const nameDistance = nameDistanceOf(typedName, name, limit);
    if (nameDistance >= bestDistance) continue;
    const suffix = suffixFor(candidate, typedSuffix, nameDistance);
    if (suffix === undefined || nameDistance + suffix.distance >= bestDistance) continue;
    best = `${name}.${suffix.text}`;
    bestDistance = nameDistance + suffix.distance;
  }
  return best;
}

function nameDistanceOf(typed: string, name: string, limit: number): number {
  if (typed === name) return 0;
  // The pair that reads as one letter.
  if (typed.includes('rn') && typed.replace('rn', 'm') === name) return 0.5;
  return typingDistance(typed, name, limit);
}

interface Suffix {
  readonly text: string;
  readonly distance: number;
}

function suffixFor(brand: MailBrand, typed: string, nameDistance: number): Suffix | undefined {
  if (brand.suffixes.includes(typed)) return { text: typed, distance: 0 };
  if (nameDistance > BOTH_OFF_LIMIT[brand.kind]) return undefined;
  const slip = SLIPS[typed];
  if (slip !== undefined && brand.kind !== 'plain' && brand.suffixes.includes(slip)) {
    return { text: slip, distance: 0.5 };
  }
  if (brand.name === 'gmail' && nameDistance === 0 && GMAIL_GUESSES.has(typed)) {
    return { text: 'com', distance: 1 };
  }
  // A suffix that exists may well be meant.
  const top = typed.slice(typed.lastIndexOf('.') + 1);
  if (topLevelDomains.has(top) && !isBrokenSecondLevel(typed)) return undefined;
  return nearestSuffix(brand, typed, nameDistance);
}

/** `con.br`, `c.uk`: the top-level domain is right, and what stands before it is no registry’s. */
function isBrokenSecondLevel(typed: string): boolean {
  const [second, top, ...more] = typed.split('.');
  if (second === undefined || top === undefined || more.length > 0) return false;
  return second !== 'com' && second !== 'co' && second !== 'net' && second !== 'org' && second.length <= 4;
}

function nearestSuffix(brand: MailBrand, typed: string, nameDistance: number): Suffix | undefined {
  let nearest: Suffix | undefined;
  for (const text of brand.suffixes) {
    // Two letters are too few to tell a slip by, unless the name is beyond doubt.
    if (text.length === 2 && nameDistance > 0) continue;
    const limit = text.length === 2 ? 0.8 : nameDistance === 0 && brand.kind !== 'plain' ? 1.7 : 1.3;
    const distance = text.startsWith(typed) ? 0.9 : typingDistance(typed, text, limit);
    if (distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { text, distance };
  }
  return nearest;
}

/** The letters of a word as bits; digits and the hyphen share what is left. */
function letterSet(word: string): number {
  let bits = 0;
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index);
    bits |= code >= 97 && code <= 122 ? 1 << (code - 97) : 1 << 26;
  }
  return bits;
}

function differingLetters(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
