import { readWords } from '../lists/read-list.ts';
import { registrableDomain } from './registrable-domain.ts';

/**
 * Detects disposable domains by their name alone. Disposable services use up names faster than lists can collect them,
 * but they reuse the same words, the same cheap endings and the same generators. Each rule is narrow, because ordinary
 * people own odd names too. docs/accuracy.md has the gain and the false positives of each rule. Only plain
 * alternations, so that no expression backtracks.
 */
const MAIL = '(?:e-?)?mail';

/** Words that only disposable services use, anywhere in the name. */
const SERVICE_WORDS = new RegExp(
  [
    `(?:temp|tmp|trash|fake|disposable|throw-?away|burner|discard|dummy|wegwerf|einweg|gecici)-?${MAIL}`,
    `${MAIL}-?(?:temporaire|temporar|temporal|trash|disposable|burner|jetable)`,
    `${MAIL}-?te?mp(?![a-z])`,
    `temporar(?:y|io)-?${MAIL}`,
    'correo-?temporal',
    `\\d-?min(?:ute)?s?-?${MAIL}`,
    '(?:temp|trash|fake|throw-?away|burner|disposable|minute)-?inbox',
    'guerr?illa-?mail|mailinator|yopmail|sharklasers|spamgourmet|dispostable|mailnesia|getnada|mohmal',
  ].join('|'),
);

/**
 * Another company’s mail service inside a longer name; typing errors (`1gmail`, `gmailcom`) are shorter. Words end in a
 * vowel, n or r before the g (`racingmail`, `bigmail`), never in these letters.
 */
const BORROWED_BRAND =
  /[a-z]-(?:gmail|hotmail)|^(?:gmail|hotmail)(?:-[a-z]|\d\d)|[a-z][a-z0-9][bcfhjkmpqstvwxz0-9]gmail$/;

/** Names and words that contain these letters but are not mail services: Ismail, Maillard, a mailroom. */
const NO_MAILBOX =
  /ismail|^esmail|maill(?:ard|ot|e$)|mailand|mailm[ae]n(?![a-z])|mailroom|mail-?order|(?:chain|snail|black|direct)-?mail|mail-?marketing/g;

/** Endings sold for almost nothing, where most owners who use mail do not renew. */
const CHEAPEST_ENDINGS = new Set(readWords('domains/cheapest-endings.txt'));
/** Endings that are cheap but also used by real companies. */
const CHEAP_ENDINGS = new Set(readWords('domains/cheap-endings.txt'));

export type NameShape =
  | 'service-word'
  | 'borrowed-brand'
  | 'mail-on-cheap-ending'
  | 'generated'
  | 'short-subdomain'
  | 'brand-subdomain'
  | 'cheap-subdomain';

/** Suffixes that a registry reserves for authorities, armed forces and universities. */
const RESERVED_SUFFIX = /\.(?:edu|gov|mil|int)$|\.(?:gov|gob|gouv|govt|mil|ac|k12)\.[a-z]{2}$/;

export function isReservedForInstitutions(domain: string): boolean {
  return RESERVED_SUFFIX.test(domain);
}

/** Whether the suffix is meant for schools and authorities, though some registries sell it to anybody. */
export function isInstitution(domain: string): boolean {
  return RESERVED_SUFFIX.test(domain) || /\.(?:edu|sch)\.[a-z]{2}$/.test(domain);
}

/** Why a name looks disposable, if it does. */
export function throwawayShape(domain: string): NameShape | undefined {
  if (SERVICE_WORDS.test(domain)) {
    return 'service-word';
  }
  const last = domain.lastIndexOf('.');
  const second = domain.lastIndexOf('.', last - 1);
  const twofold = second > 0 && CHEAP_ENDINGS.has(domain.slice(second + 1));
  const end = twofold ? second : last;
  const label = domain.slice(domain.lastIndexOf('.', end - 1) + 1, end);
  if (BORROWED_BRAND.test(label)) {
    return 'borrowed-brand';
  }
  const ending = domain.slice(last + 1);
  const burnt = CHEAPEST_ENDINGS.has(ending);
  if (!burnt && !twofold && !CHEAP_ENDINGS.has(ending)) {
    return undefined;
  }
  if (/mail|inbox/.test(label.replace(NO_MAILBOX, ''))) {
    return 'mail-on-cheap-ending';
  }
  return looksGenerated(label, burnt) ? 'generated' : undefined;
}

/** Numbers, and strings that no language has. Under the cheapest endings shorter ones are enough. */
function looksGenerated(label: string, burnt: boolean): boolean {
  // An A-label’s letters and digits are Punycode’s, not the name’s.
  if (label.startsWith('xn--')) {
    return false;
  }
  if (/^\d{5,}$/.test(label) || (label.length >= (burnt ? 4 : 6) && !/[aeiouy]/.test(label))) {
    return true;
  }
  return burnt && (DIGITS_AMONG_LETTERS.test(label) || hasUnspeakableRun(label));
}

/**
 * Digits where no word has them. A number at the end is a year or a house number (`club1900`), a 2 or a 4 between words
 * is “to” or “for” (`b2b`, `car4you`), and `web3` and `3d` are words.
 */
const DIGITS_AMONG_LETTERS =
  /[a-z](?:[015-9]|(?<!web)3(?!d))[a-z]|^[a-z][24][a-z]{2}|[a-z]\d{3,}[a-z]|[a-z]\d{5}/;

/**
 * How words of the European languages end and begin: `ghtsbr` is part of Knightsbridge, `xprb` is part of no word. An n
 * between two words is “and” (`catsnthings`).
 */
const WORD_END =
  '[lmnrw]?(?:ght|tsch|tch|sch|ch|ck|gh|sh|th|ph|st|sk|sp|ft|ct|pt|dg|ld|ng|nk|ll|ss|tt|ff|[bcdfgklmnprstvwxz])s?t?';
const WORD_BEGINNING =
  's?[bcdfgkptvw][rl]|s[ckpt]r?|s[lmnwq]|sch[lmnrw]?|[ckpst]hr?|[wz]h|kn|tw|[bcdfghjklmnprstvwz]';
const SPEAKABLE_RUN = new RegExp(`^(?:${WORD_END})?n?(?:${WORD_BEGINNING})?$`);

/** Four or more consonants in a row that are not the end of a word or the boundary between two. */
function hasUnspeakableRun(label: string): boolean {
  return (label.match(/[bcdfghjklmnpqrstvwxz]{4,}/g) ?? []).some((run) => !SPEAKABLE_RUN.test(run));
}

/** Codes of countries, languages and departments: organisations use these for parts of themselves. */
const CODES = new Set(readWords('domains/subdomain-codes.txt'));

/** Whether organisations use the label for a part of themselves: a country, a language, a department. */
export function isCodeOfPart(label: string): boolean {
  return CODES.has(label);
}

/** Labels that campaigns put in front of their own domain: `gmail.` and the services that they abuse. */
const BRAND_LABEL =
  /^(?:gmail|hotmail|outlook|icloud|yahoo|protonmail|duck|chatgpt|openai|(?:grok|gpt|veo|sora|claude|gemini|capcut|cursor)\d*)$/;

/**
 * Detects disposable subdomains of a registered domain. A campaign makes up subdomains, either short ones or the name
 * of the service that it abuses. People have their mail at the domain itself; where they do not, the label says which
 * part of an organisation they are in.
 */
export function subdomainShape(domain: string): NameShape | undefined {
  const first = domain.indexOf('.');
  if (first === domain.lastIndexOf('.')) return undefined;
  const owner = registrableDomain(domain);
  if (owner === undefined || owner === domain || isInstitution(owner)) return undefined;
  const label = domain.slice(0, first);
  if (BRAND_LABEL.test(label)) return 'brand-subdomain';
  const ending = owner.slice(owner.indexOf('.') + 1);
  if (label !== 'www' && (CHEAPEST_ENDINGS.has(ending) || CHEAP_ENDINGS.has(ending)))
    return 'cheap-subdomain';
  return label.length <= 2 && isGeneric(ending) && !CODES.has(label) ? 'short-subdomain' : undefined;
}

/** Schools and associations number their classes and groups under these. */
const ENDINGS_OF_GROUPS = new Set(readWords('domains/group-endings.txt'));

/** Generic endings. Two-letter endings belong to countries, whose companies number their departments. */
function isGeneric(ending: string): boolean {
  return (
    ending.length > 2 && !ending.includes('.') && !ending.startsWith('xn--') && !ENDINGS_OF_GROUPS.has(ending)
  );
}
