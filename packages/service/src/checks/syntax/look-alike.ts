/**
 * Scripts in everyday use (UAX #31, table 5). A label in one of them, or in none of them, is left in peace.
 * Ordered by how many internationalised domains each has, so that the first test usually answers.
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

/** Sets that people write together: the Highly Restrictive level of UTS #39, 5.2. */
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
 * Letters of one script that are drawn as Latin ones. A label of nothing else reads as a Latin name (UTS #39, 4.1)
 * unless it stands where that script is at home: under a domain in its own letters or one of these.
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

/** Latin letters of phonetic writing that are drawn as everyday ones; no language’s orthography needs them in names. */
const PHONETIC_LOOK_ALIKE = /[ǀɑɡɢɪɴʀʏʙʜʟ\u{1D00}-\u{1DBF}]/u;

/** Signs beyond ASCII that imitate slashes, dots and the like. Emoji imitate nothing, and people own such domains. */
const IMITATED_SIGN = /(?![·͵׳״・\p{Extended_Pictographic}\p{Emoji_Component}])(?=[^\0-\x7F])[\p{S}\p{P}]/u;

/** Strokes of Chinese and Japanese that pass for a slash, a dash or a dot between Latin letters. */
const STROKE = /[ーㅡ一丨丶丿〇ノヽヾソゾン・]/gu;
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
const LATIN = /\p{sc=Latin}/u;
const FOREIGN = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}]/u;

/** A word of Latin letters with nothing foreign in it but letters that are drawn as Latin ones. */
const LATIN_WORD_WITH_LOOK_ALIKES = /^[\p{sc=Latin}\p{sc=Inherited}асԁеһіјӏорԛѕԝхуѵαικνορυցհյոսօ]+$/u;
/** ASCII characters among their full-width, circled and mathematical doubles, and nothing else. */
const ASCII_IN_DISGUISE = /^[!-~\u{FF01}-\u{FF5E}\u{24B6}-\u{24E9}\u{1D400}-\u{1D7FF}]+$/u;
const BETWEEN_WORDS = /[^\p{L}\p{M}]+/u;

/**
 * Whether the local part is ASCII in disguise (full-width or mathematical letters), or a word of it passes for a
 * Latin one by borrowed letters. Other mixtures are people’s own business: only what a reader cannot see is held
 * against them.
 */
export function isLookAlikeLocal(local: string): boolean {
  if (isAscii(local)) return false;
  if (ASCII_IN_DISGUISE.test(local)) return true;
  if (!LATIN.test(local)) return false;
  return local
    .split(BETWEEN_WORDS)
    .some((word) => LATIN.test(word) && FOREIGN.test(word) && LATIN_WORD_WITH_LOOK_ALIKES.test(word));
}

/** Whether a label of the domain, given in U-labels, is built to be taken for another. */
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
