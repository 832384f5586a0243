import { createRequire } from 'node:module';

/**
 * Internationalised domain names by UTS #46, nontransitional. Uses a library instead of Node’s `domainToASCII`, because
 * Node’s tables differ between versions and the same address would get different hashes.
 */

/**
 * Hyphens in the third and fourth place are accepted. RFC 5891 reserves them for A-labels, but registries have sold
 * such names.
 */
const OPTIONS = { checkBidi: true, checkJoiners: true, checkHyphens: false };

const require = createRequire(import.meta.url);
/** Loaded for the first name that needs it: its tables were half of what the store’s thread read to start. */
const library = (): typeof import('tr46') => require('tr46');

/** The domain in A-labels and lower case, as browsers and resolvers spell it, or `undefined`. */
export function domainToAscii(text: string): string | undefined {
  if (/^[a-z0-9.-]*$/.test(text) && !text.includes('xn--')) return text;
  return library().toASCII(text, OPTIONS) ?? undefined;
}

/** The domain in U-labels, or `undefined` if an A-label in it does not decode. */
export function domainToUnicode(ascii: string): string | undefined {
  const { domain, error } = library().toUnicode(ascii, OPTIONS);
  return error ? undefined : domain;
}

/** Characters that UTS #46 allows and IDNA 2008 does not: symbols, punctuation and emoji (RFC 5892, section 2). */
const NOT_A_LETTER = /[\p{S}\p{P}\p{Z}\p{C}\p{Nl}\p{No}\p{Me}\p{Lt}]/u;
/**
 * RFC 5892, 2.6: symbols that are allowed individually. CONTEXTO and CONTEXTJ characters depend on their neighbours.
 */
const ALLOWED_SIGN = /[-\u{6FD}\u{6FE}\u{F0B}\u{3007}]/u;
/** RFC 5892, 2.6 and 2.9: letters and marks that are never allowed in a label, including old Hangul. */
const FORBIDDEN_LETTER =
  /[\u{640}\u{7FA}\u{302E}\u{302F}\u{3031}-\u{3035}\u{303B}\u{1100}-\u{11FF}\u{A960}-\u{A97F}\u{D7B0}-\u{D7FF}]/u;
/** RFC 5892, 2.7 and 2.8: invisible characters, and marks for symbols and music. */
const IGNORABLE =
  /\p{Default_Ignorable_Code_Point}|[\u{20D0}-\u{20FF}]|[\u{1D100}-\u{1D1FF}]|[\u{1D200}-\u{1D24F}]/u;

/** Whether IDNA 2008 allows every character of a U-label (RFC 5892). */
export function hasOnlyIdnaCharacters(label: string): boolean {
  const characters = Array.from(label);
  return characters.every((character, index) => {
    const context = CONTEXT_RULES.get(character);
    if (context !== undefined) return context(characters, index);
    if (ALLOWED_SIGN.test(character)) return true;
    return ![NOT_A_LETTER, FORBIDDEN_LETTER, IGNORABLE].some((refused) => refused.test(character));
  });
}

type ContextRule = (characters: readonly string[], index: number) => boolean;

const GREEK = /\p{Script=Greek}/u;
const HEBREW = /\p{Script=Hebrew}/u;
const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
const ARABIC_INDIC = /[\u{660}-\u{669}]/u;
const EXTENDED_ARABIC_INDIC = /[\u{6F0}-\u{6F9}]/u;

const afterHebrew: ContextRule = (characters, index) => HEBREW.test(characters[index - 1] ?? '');
/** The library already checks the neighbours of joiners. */
const checkedByLibrary: ContextRule = () => true;

/** RFC 5892, appendix A: characters that are allowed only next to certain others. */
const CONTEXT_RULES: ReadonlyMap<string, ContextRule> = new Map<string, ContextRule>([
  ['\u{200C}', checkedByLibrary],
  ['\u{200D}', checkedByLibrary],
  ['\u{B7}', (characters, index) => characters[index - 1] === 'l' && characters[index + 1] === 'l'],
  ['\u{375}', (characters, index) => GREEK.test(characters[index + 1] ?? '')],
  ['\u{5F3}', afterHebrew],
  ['\u{5F4}', afterHebrew],
  ['\u{30FB}', (characters) => characters.some((other) => JAPANESE.test(other))],
  ...digits(0x660).map((digit) => [digit, without(EXTENDED_ARABIC_INDIC)] as const),
  ...digits(0x6f0).map((digit) => [digit, without(ARABIC_INDIC)] as const),
]);

function digits(zero: number): string[] {
  return Array.from({ length: 10 }, (_, value) => String.fromCodePoint(zero + value));
}

function without(others: RegExp): ContextRule {
  return (characters) => !characters.some((other) => others.test(other));
}
