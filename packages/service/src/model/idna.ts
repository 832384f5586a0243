import { toASCII, toUnicode } from 'tr46';

/**
 * Internationalised domain names by UTS #46, nontransitional. A library does it and not Node’s `domainToASCII`: Node’s
 * tables differ from version to version, so that one address would have two hashes.
 */

/** Hyphens in the third and fourth place are fine: RFC 5891 keeps them for A-labels, but registries have sold others. */
const OPTIONS = { checkBidi: true, checkJoiners: true, checkHyphens: false };

/** The domain in A-labels and lower case, as browsers and resolvers spell it, or `undefined`. */
export function domainToAscii(text: string): string | undefined {
  return toASCII(text, OPTIONS) ?? undefined;
}

/** The domain in U-labels, or `undefined` if an A-label in it does not decode. */
export function domainToUnicode(ascii: string): string | undefined {
  const { domain, error } = toUnicode(ascii, OPTIONS);
  return error ? undefined : domain;
}

/** All that IDNA 2008 leaves out although UTS #46 lets it through: signs, punctuation and emoji (RFC 5892, section 2). */
const NOT_A_LETTER = /[\p{S}\p{P}\p{Z}\p{C}\p{Nl}\p{No}\p{Me}\p{Lt}]/u;
/** RFC 5892, 2.6: these signs are allowed by name. CONTEXTO and CONTEXTJ are judged by their neighbours. */
const ALLOWED_SIGN = /[-\u{6FD}\u{6FE}\u{F0B}\u{3007}]/u;
/** RFC 5892, 2.6 and 2.9: letters and marks that no label may hold, old Hangul among them. */
const FORBIDDEN_LETTER =
  /[\u{640}\u{7FA}\u{302E}\u{302F}\u{3031}-\u{3035}\u{303B}\u{1100}-\u{11FF}\u{A960}-\u{A97F}\u{D7B0}-\u{D7FF}]/u;
/** RFC 5892, 2.7 and 2.8: what is drawn as nothing, and marks for symbols and music. */
const IGNORABLE =
  /\p{Default_Ignorable_Code_Point}|[\u{20D0}-\u{20FF}]|[\u{1D100}-\u{1D1FF}]|[\u{1D200}-\u{1D24F}]/u;

/** Whether IDNA 2008 knows every character of a U-label (RFC 5892). */
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
/** The library has checked the joiners’ neighbours. */
const checkedByLibrary: ContextRule = () => true;

/** RFC 5892, appendix A: characters that are letters only among certain neighbours. */
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
