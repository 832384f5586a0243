/**
 * Scripts in everyday use (UAX #31, table 5). A label in only one of them, or in none of them, is accepted. Ordered by
 * the number of internationalised domains, so that the first test usually decides.
 */
const SCRIPTS = [
  'Latin',
  'Han',
  'Cyrillic',
  'Arabic',
  'Hangul',
  'Thai',
  'Greek',
  'Hebrew',
  'Devanagari',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Armenian',
  'Bengali',
  'Ethiopic',
  'Georgian',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Khmer',
  'Lao',
  'Malayalam',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
  'Thaana',
  'Tibetan',
];

/** Scripts that people write together: the Highly Restrictive level of UTS #39, 5.2. */
const WRITTEN_TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const classOf = (scripts: readonly string[]) => scripts.map((script) => `\\p{scx=${script}}`).join('');
const madeOf = (scripts: readonly string[]) =>
  new RegExp(`^[${classOf(scripts)}\\p{sc=Common}\\p{sc=Inherited}]*$`, 'u');

const MADE_OF_KNOWN_SETS = [...SCRIPTS.map((script) => [script]), ...WRITTEN_TOGETHER].map(madeOf);
const HAS_EVERYDAY_SCRIPT = new RegExp(`[${SCRIPTS.map((script) => `\\p{sc=${script}}`).join('')}]`, 'u');

/**
 * Letters of one script that look like Latin ones. A label with only such letters reads as a Latin name (UTS #39, 4.1)
 * unless it is under a domain in that script or under one of these.
 */
const WHOLE_SCRIPT_LOOK_ALIKES = [
  {
    label: /^[-0-9асԁеһіјӏорԛѕԝхуѵ]*$/u,
    script: /\p{sc=Cyrillic}/u,
    home: new Set(['ru', 'su', 'ua', 'by', 'kz', 'bg', 'rs', 'mk', 'mn', 'kg', 'tj', 'uz', 'me', 'ba', 'md']),
  },
  { label: /^[-0-9ακνορ]*$/u, script: /\p{sc=Greek}/u, home: new Set(['gr', 'cy']) },
  { label: /^[-0-9ցհյոսօ]*$/u, script: /\p{sc=Armenian}/u, home: new Set(['am']) },
];

/** Latin letters of phonetic alphabets that look like everyday ones. No language needs them in names. */
const PHONETIC_LOOK_ALIKE = /[ǀɑɡɢɪɴʀʏʙʜʟ\u{1D00}-\u{1DBF}]/u;

/**
 * Non-ASCII characters that imitate slashes, dots and similar ones. Emoji imitate nothing, and people own such domains.
 */
const IMITATED_SIGN = /(?![·͵׳״・\p{Extended_Pictographic}\p{Emoji_Component}])(?=[^\0-\x7F])[\p{S}\p{P}]/u;

/** Chinese and Japanese strokes that look like a slash, a dash or a dot between Latin letters. */
const STROKE = /[ーㅡ一丨丶丿〇ノヽヾソゾン・]/gu;
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
const LATIN = /\p{sc=Latin}/u;
const FOREIGN = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}]/u;

/** A word of Latin letters whose only foreign letters look like Latin ones. */
const LATIN_WORD_WITH_LOOK_ALIKES = /^[\p{sc=Latin}\p{sc=Inherited}асԁеһіјӏорԛѕԝхуѵαικνορυցհյոսօ]+$/u;
/** Only ASCII characters and their full-width, circled and mathematical variants. */
const ASCII_IN_DISGUISE = /^[!-~\u{FF01}-\u{FF5E}\u{24B6}-\u{24E9}\u{1D400}-\u{1D7FF}]+$/u;
const BETWEEN_WORDS = /[^\p{L}\p{M}]+/u;

/**
 * Whether the local part is ASCII in disguise (full-width or mathematical letters), or a word in it looks Latin through
 * borrowed letters. Other mixtures pass: only what a reader cannot see fails.
 */
export function isLookAlikeLocal(local: string): boolean {
  if (isAscii(local)) return false;
  if (ASCII_IN_DISGUISE.test(local)) return true;
  if (!LATIN.test(local)) return false;
  return local
    .split(BETWEEN_WORDS)
    .some((word) => LATIN.test(word) && FOREIGN.test(word) && LATIN_WORD_WITH_LOOK_ALIKES.test(word));
}

/** Whether a label of the domain, given in U-labels, is made to look like another one. */
export function isLookAlikeDomain(unicodeDomain: string): boolean {
  const labels = unicodeDomain.split('.');
  const topLevel = labels.at(-1) ?? '';
  return labels.some((label) => !isAscii(label) && (isMixed(label) || imitatesLatin(label, topLevel)));
}

function isMixed(label: string): boolean {
  if (IMITATED_SIGN.test(label) || PHONETIC_LOOK_ALIKE.test(label)) return true;
  if (LATIN.test(label) && EAST_ASIAN.test(label) && !EAST_ASIAN.test(label.replace(STROKE, ''))) return true;
  return HAS_EVERYDAY_SCRIPT.test(label) && !MADE_OF_KNOWN_SETS.some((pattern) => pattern.test(label));
}

function imitatesLatin(label: string, topLevel: string): boolean {
  return WHOLE_SCRIPT_LOOK_ALIKES.some(
    (alike) => alike.label.test(label) && !alike.home.has(topLevel) && !alike.script.test(topLevel),
  );
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) >= 0x80) return false;
  return true;
}
