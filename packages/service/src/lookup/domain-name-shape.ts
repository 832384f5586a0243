import { readWords } from '../lists/read-list.ts';
import { isReservedForInstitutions } from '../model/institution.ts';
import { registrableDomain } from '../model/registrable-domain.ts';

/**
 * Detects disposable domains by their name alone. Disposable services use up names faster than lists can collect them,
 * but they reuse the same words, the same cheap endings and the same generators. Each rule is narrow, because ordinary
 * people own odd names too. docs/accuracy.md has the gain and the false positives of each rule. The expressions have no
 * nested repetition, so a long name cannot make them slow.
 */
const MAIL = '(?:e-?)?mail';

/** Words that only disposable services use, anywhere in the name. */
const SERVICE_WORDS = new RegExp(
  [
    `(?:te?mpo?\\d*|trashy?|fake|disposable|throw-?away|burner|discard|dummy|wegwerf|einweg|gecici)-?${MAIL}`,
    `${MAIL}-?(?:temporaire|temporar|temporal|trash|disposable|burner|jetable)`,
    `${MAIL}-?te?mp(?![a-z])`,
    `(?:temporar(?:y|io)?|tempy)-?${MAIL}`,
    `${MAIL}-?once(?![a-z])`,
    'temporam(?![a-z])|tempy\\.|temp-?box(?![a-z])',
    'correo-?temporal',
    `\\d-?(?:min(?:ute)?|hr|hour)s?[.-]?${MAIL}`,
    `${MAIL}\\d+(?:min|hr|hour|day|year)s?(?![a-z])`,
    '(?:temp|trash|fake|throw-?away|burner|disposable|dummy|minute)-?inbox',
    'guerr?illa-?mail|mailinator|yopmail|sharklasers|spamgourmet|dispostable|mailnesia|getnada|mohmal',
  ].join('|'),
);

/**
 * Another company’s mail service inside a longer name; typing errors (`1gmail`, `gmailcom`) are shorter. In `racingmail`
 * and `bigmail` the g belongs to the word before it. No word has one of the last expression’s letters before its final g.
 */
const BORROWED_BRAND =
  /[a-z]-(?:gmail|hotmail)|^(?:gmail|hotmail)(?:-[a-z]|\d\d)|[a-z][a-z0-9][bcfhjkmpqstvwxz0-9]gmail$/;

/** Names and words that contain “mail” but have nothing to do with a mailbox: Ismail, Maillard, mailroom, mail house. */
const NO_MAILBOX =
  /ismail|^esmail|maill(?:ard|ot|e$)|mailand|mailm[ae]n(?![a-z])|mailroom|mail-?house|mail-?order|(?:chain|snail|black|direct)-?mail|mail-?marketing/g;

/** One operator registers a word of the English dictionary and “mail” under `ru`: `saddlebackmail.ru`, `xylosmamail.ru`. */
const WORD_AND_MAIL = /^[a-z]{7,}mails?$/;

/** Endings that cost almost nothing. Most domains there that receive mail are not renewed. */
const CHEAPEST_ENDINGS = new Set(readWords('domains/cheapest-endings.txt'));
/** Endings that are cheap but also used by real companies. */
const CHEAP_ENDINGS = new Set(readWords('domains/cheap-endings.txt'));
/** Endings that throwaway services use for mailboxes, and known mail providers do not. */
const ODD_MAIL_ENDINGS = new Set(readWords('domains/odd-mail-endings.txt'));

export type NameShape =
  | 'service-word'
  | 'borrowed-brand'
  | 'mail-on-cheap-ending'
  | 'mail-on-odd-ending'
  | 'word-and-mail'
  | 'generated'
  | 'short-subdomain'
  | 'brand-subdomain'
  | 'cheap-subdomain';

/** Whether the suffix is meant for schools and authorities, though some registries sell it to anybody. */
export function isInstitution(domain: string): boolean {
  return isReservedForInstitutions(domain) || /\.(?:edu|sch)\.[a-z]{2}$/.test(domain);
}

/** Whether names under the domain’s ending cost next to nothing. */
export function hasCheapEnding(domain: string): boolean {
  const last = domain.lastIndexOf('.');
  const ending = domain.slice(last + 1);
  if (CHEAPEST_ENDINGS.has(ending) || CHEAP_ENDINGS.has(ending)) return true;
  const second = domain.lastIndexOf('.', last - 1);
  return second > 0 && CHEAP_ENDINGS.has(domain.slice(second + 1));
}

/** The label of a domain that is registered directly under a cheap ending. */
export function labelOnCheapEnding(domain: string): string | undefined {
  const first = domain.indexOf('.');
  const ending = domain.slice(first + 1);
  return CHEAPEST_ENDINGS.has(ending) || CHEAP_ENDINGS.has(ending) ? domain.slice(0, first) : undefined;
}

/** Whether the registered name has a word for a mailbox in it. */
export function namesMailboxes(domain: string): boolean {
  // Most names have no such word, and finding the registered part of a name takes longer.
  if (!MAILBOX.test(domain)) return false;
  const owner = registrableDomain(domain);
  return owner !== undefined && hasMailboxWord(owner.slice(0, owner.indexOf('.')));
}

const MAILBOX = /mail|inbox/;

const hasMailboxWord = (label: string): boolean => MAILBOX.test(label.replace(NO_MAILBOX, ''));

/** Why a name looks disposable, if it does. */
export function throwawayShape(domain: string): NameShape | undefined {
  if (SERVICE_WORDS.test(domain)) return 'service-word';
  const last = domain.lastIndexOf('.');
  const second = domain.lastIndexOf('.', last - 1);
  const twoLabels = second > 0 ? domain.slice(second + 1) : '';
  const hasCheapTwoLabelEnding = CHEAP_ENDINGS.has(twoLabels);
  const hasOddTwoLabelEnding = ODD_MAIL_ENDINGS.has(twoLabels);
  const end = hasCheapTwoLabelEnding || hasOddTwoLabelEnding ? second : last;
  const label = domain.slice(domain.lastIndexOf('.', end - 1) + 1, end);
  if (BORROWED_BRAND.test(label)) return 'borrowed-brand';
  const ending = domain.slice(last + 1);
  if (ending === 'ru' && WORD_AND_MAIL.test(label)) return 'word-and-mail';
  const isCheapest = CHEAPEST_ENDINGS.has(ending);
  const isCheap = isCheapest || hasCheapTwoLabelEnding || CHEAP_ENDINGS.has(ending);
  const isOdd = hasOddTwoLabelEnding || ODD_MAIL_ENDINGS.has(ending);
  if (!isCheap && !isOdd) return undefined;
  if (hasMailboxWord(label)) return isCheap ? 'mail-on-cheap-ending' : 'mail-on-odd-ending';
  if (!isCheap) return undefined;
  return looksGenerated(label, isCheapest) ? 'generated' : undefined;
}

/** Whether the label is a number or no word of any language. Under the cheapest endings, shorter labels count too. */
function looksGenerated(label: string, isCheapest: boolean): boolean {
  // The letters and digits after `xn--` encode the name. They say nothing about how it reads.
  if (label.startsWith('xn--')) return false;
  if (/^\d{5,}$/.test(label) || (label.length >= (isCheapest ? 4 : 6) && !/[aeiouy]/.test(label))) {
    return true;
  }
  return isCheapest && (DIGITS_AMONG_LETTERS.test(label) || hasUnpronounceableRun(label));
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
const PRONOUNCEABLE_RUN = new RegExp(`^(?:${WORD_END})?n?(?:${WORD_BEGINNING})?$`);

/** Four or more consonants in a row that are not the end of a word or the boundary between two. */
function hasUnpronounceableRun(label: string): boolean {
  return (label.match(/[bcdfghjklmnpqrstvwxz]{4,}/g) ?? []).some((run) => !PRONOUNCEABLE_RUN.test(run));
}

/** Codes of countries, languages and departments: organisations use these for parts of themselves. */
const CODES = new Set(readWords('domains/subdomain-codes.txt'));

/** Whether organisations use the label for a part of themselves: a country, a language, a department. */
export function isOrganisationCode(label: string): boolean {
  return CODES.has(label);
}

/** Labels that campaigns put in front of their own domain: `gmail.` and the services that they abuse. */
const BRAND_LABEL =
  /^(?:gmail|hotmail|outlook|icloud|yahoo|protonmail|duck|chatgpt|openai|(?:grok|gpt|veo|sora|claude|gemini|capcut|cursor)\d*)$/;

/**
 * Detects disposable subdomains of a registered domain. A campaign makes up subdomains, either short ones or the name
 * of the service that it abuses. Real people’s addresses are at the domain itself, or at a subdomain named
 * after a part of their organisation.
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
  return label.length <= 2 && isGenericEnding(ending) && !CODES.has(label) ? 'short-subdomain' : undefined;
}

/** Under these, schools and associations give classes and groups short subdomains. */
const GROUP_ENDINGS = new Set(readWords('domains/group-endings.txt'));

/**
 * Whether a short subdomain under this ending is suspicious. Under a country’s ending (two letters) it is not: companies
 * number their departments there.
 */
function isGenericEnding(ending: string): boolean {
  return (
    ending.length > 2 && !ending.includes('.') && !ending.startsWith('xn--') && !GROUP_ENDINGS.has(ending)
  );
}
