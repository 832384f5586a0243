import { createRequire } from 'node:module';
import { readRows, readWords } from '../../lists/read-list.ts';

/** The words of each function, such as sales or support, separated by spaces. */
type WordsByFunction = Readonly<Record<string, string>>;

const wordsIn = (name: string): WordsByFunction =>
  Object.fromEntries(readRows(name).map(([key = '', words = '']) => [key, words]));

/** The words that organisations use for shared mailboxes. */
const ROLE_WORDS = wordsIn('words/roles.tsv');

/** Words that name a function only on their own: `post@` is an office, `emily-post@` is not. */
const LONE_ROLE_WORDS = wordsIn('words/lone-roles.tsv');

/** Words that qualify a function and mean nothing on their own: `sales-emea`, `support-team`, `info.de`. */
const QUALIFIERS: ReadonlySet<string> = new Set(readWords('words/role-qualifiers.txt'));

/** Entries of the package `role-based-email-addresses` that do not fail our check, grouped by reason. */
export const NOT_ROLES = wordsIn('words/not-roles.tsv');

interface Role {
  readonly name: string;
  /** Whether the word keeps its meaning next to qualifiers and numbers. */
  readonly sure: boolean;
}

const SEPARATORS = /[._-]+/;
const WORD = /\S+/g;

/** No-reply addresses, next to any other words. No name contains these letters in a row. */
const MACHINE =
  /noreply|donotreply|dontreply|noresponse|mailerdaemon|maildaemon|postmaster|hostmaster|webmaster|nepasrepondre|noresponder|naoresponda|naoresponder|nichtantworten|keineantwort|nonrispondere|nietantwoorden|nietbeantwoorden|neodpovidat|nieodpowiadac|svaraej|ikkesvar|alavastaa|neotvechat/;

/**
 * Addresses that mail software generates for bounces and commands: VERP, SRS, BATV and list commands (RFC 2142, section
 * 6).
 */
const RETURN_PATH =
  /^(?:bounces?[-=]|srs[01]=|prvs=|msprvs1=|btv1==|owner-)|-(?:request|bounces?|unsubscribe|owner)$/;

/** Endings that turn a function into a team mailbox when attached to it: `salesteam`, `hrdept`. */
const ENDINGS = [
  'team',
  'desk',
  'dept',
  'department',
  'office',
  'group',
  'staff',
  'admin',
  'center',
  'centre',
  'line',
  'services',
  'service',
  'support',
];
const BEGINNINGS = ['team', 'web', 'online', 'customer', 'client', 'global', 'corporate'];

const MAX_GLUED_DIGITS = 2;
const MAX_DIGITS = 4;
/** A shorter word with a number is just as likely a person’s initials. */
const MIN_NUMBERED_LENGTH = 4;

const ROLES = new Map<string, Role>();
addWords(LONE_ROLE_WORDS, false);
addWords(ROLE_WORDS, true);
addPackage();

/** The function that a normalised local part names, or `undefined` for a person. A tag behind a plus is ignored. */
export function findRole(local: string): string | undefined {
  const base = withoutTag(local);
  const whole = ROLES.get(base);
  if (whole !== undefined) return whole.name;

  const words = base.split(SEPARATORS);
  const role = words.length > 1 ? roleOfWords(words) : sureRole(base)?.name;
  if (role !== undefined) return role;
  if (RETURN_PATH.test(base)) return 'bounce';
  const machine = MACHINE.exec(words.join(''));
  return machine === null ? undefined : (ROLES.get(machine[0])?.name ?? 'no-reply');
}

function withoutTag(local: string): string {
  const text = local.startsWith('"') ? local.slice(1, -1) : local;
  const plus = text.indexOf('+');
  return plus > 0 ? text.slice(0, plus) : text;
}

/**
 * Every word must be a function, a qualifier or a number, and at least one a function. Any other word can be a person’s
 * name.
 */
function roleOfWords(words: readonly string[]): string | undefined {
  const joined = ROLES.get(words.join(' '));
  if (joined !== undefined) return joined.name;
  let found: Role | undefined;
  for (const word of words) {
    if (word === '') continue;
    const role = sureRole(word);
    if (role !== undefined) found ??= role;
    else if (!QUALIFIERS.has(word) && !isNumber(word)) return undefined;
  }
  return found?.name;
}

function sureRole(word: string): Role | undefined {
  return sure(word) ?? numbered(word) ?? lengthened(word);
}

function sure(word: string): Role | undefined {
  const role = ROLES.get(word);
  return role?.sure === true ? role : undefined;
}

function numbered(word: string): Role | undefined {
  let end = word.length;
  while (end > 0 && isDigit(word.charCodeAt(end - 1))) end--;
  const digits = word.length - end;
  if (digits === 0 || digits > MAX_GLUED_DIGITS || end < MIN_NUMBERED_LENGTH) return undefined;
  return sure(word.slice(0, end));
}

function lengthened(word: string): Role | undefined {
  for (const ending of ENDINGS) {
    if (word.length > ending.length && word.endsWith(ending)) {
      const role = sure(word.slice(0, -ending.length));
      if (role !== undefined) return role;
    }
  }
  for (const beginning of BEGINNINGS) {
    if (word.length > beginning.length && word.startsWith(beginning)) {
      const role = sure(word.slice(beginning.length));
      if (role !== undefined) return role;
    }
  }
  return undefined;
}

function isNumber(word: string): boolean {
  if (word.length > MAX_DIGITS) return false;
  for (let index = 0; index < word.length; index++) if (!isDigit(word.charCodeAt(index))) return false;
  return true;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function addPackage(): void {
  const dropped = new Set(Object.values(NOT_ROLES).flatMap((entries) => entries.trim().split(/\s+/)));
  const entries: readonly string[] = createRequire(import.meta.url)('role-based-email-addresses');
  for (const entry of entries) {
    // Words that are already listed above keep their function.
    if (!dropped.has(entry) && findRole(entry) === undefined)
      addSpellings(entry, { name: entry, sure: false });
  }
}

function addWords(table: Readonly<Record<string, string>>, isSure: boolean): void {
  for (const [name, words] of Object.entries(table)) {
    for (const word of words.match(WORD) ?? []) addSpellings(word.normalize('NFC'), { name, sure: isSure });
  }
}

/** A word with its accents, without them, and with German’s vowel pairs; joined words with any separator or none. */
function addSpellings(word: string, role: Role): void {
  const pairs = word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ø', 'oe');
  for (const spelling of new Set([word, pairs, withoutAccents(word)])) {
    const parts = spelling.split(SEPARATORS);
    // A hyphenated entry is matched by its words, whatever separates them.
    ROLES.set(parts.join(' '), role);
    ROLES.set(parts.join(''), role);
  }
}

function withoutAccents(word: string): string {
  if (!/\p{sc=Latin}/u.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ł', 'l')
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss');
}
