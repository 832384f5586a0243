import { ACTIONS, signalFamily } from '@postern/contract';
import { FIRST_SHARED } from './statistics-words.ts';

/**
 * How often each word was counted. A word with `!` in front counts the validations of it that were blocked, and a domain
 * or a network with `?` in front those that were flagged.
 */
export type Counts = Map<string, number>;

/** Also counted for blocked validations alone. */
const WITH_BLOCKED = new Set(['domain', 'class', 'country', 'asn', 'key', 'event']);
/** Also counted for flagged validations alone. */
const WITH_FLAGGED = new Set(['domain', 'asn']);
const KINDS = new Set([
  ...WITH_BLOCKED,
  ...['ran', 'ms', 'check', 'signal', 'rule', 'shadow', 'failure', 'list', 'outcome', 'open'],
]);
/** Each request counts as one of these. */
export const REQUEST_WORDS: ReadonlySet<string> = new Set([...ACTIONS, 'rate-limited', 'quota-exceeded']);
/** Only this many words of these kinds are kept in a half hour. Outsiders can make up any number of them. */
const SKETCHED: Readonly<Record<string, number>> = { domain: 48, asn: 48, list: 48, event: 48 };

/** Adds lines to the counts. Each distinct word, and each distinct end of a line, is looked at once. */
export function addLines(counts: Counts, lines: string): void {
  const { allowed, flagged, blocked, ends } = tallyLines(lines);
  for (const [word, number] of allowed) addWord(counts, word, number, false);
  for (const [word, number] of flagged) {
    addWord(counts, word, number, false);
    if (WITH_FLAGGED.has(kindOf(word))) bump(counts, `?${word}`, number);
  }
  for (const [word, number] of blocked) addWord(counts, word, number, true);
  for (const [end, number] of ends) {
    // History can add a check that has failed already, so each word counts once.
    for (const word of new Set(end.split(' '))) addWord(counts, word, number, end.startsWith('block '));
  }
}

/**
 * Adds up the words of lines. A line is a number and the words that it is added to:
 *
 *     line = number ' ' first { ' ' word } [ ' class:' … ]
 *
 * `first` is a validation’s recommendation, or what is counted instead of one. The words before `class:` differ from
 * line to line. From there on most lines are the same, so the ends are added up whole, each after its `first`.
 */
function tallyLines(lines: string) {
  const tally = { allowed: new Map(), flagged: new Map(), blocked: new Map(), ends: new Map() } as Record<
    'allowed' | 'flagged' | 'blocked' | 'ends',
    Counts
  >;
  for (const line of lines.split('\n')) {
    const endAt = line.indexOf(FIRST_SHARED);
    const [digits, first = '', ...own] = (endAt < 0 ? line : line.slice(0, endAt)).split(' ');
    const number = Number(digits);
    const words = first === 'block' ? tally.blocked : first === 'flag' ? tally.flagged : tally.allowed;
    if (endAt < 0) bump(words, first, number);
    else bump(tally.ends, first + line.slice(endAt), number);
    for (const word of own) bump(words, word, number);
  }
  return tally;
}

function bump(counts: Counts, word: string, number: number): void {
  counts.set(word, (counts.get(word) ?? 0) + number);
}

function addWord(counts: Counts, word: string, number: number, blocked: boolean): void {
  const kind = kindOf(word);
  if (!KINDS.has(kind) && !REQUEST_WORDS.has(word)) return;
  const counted = kind === 'signal' ? `signal:${signalFamily(word.slice('signal:'.length))}` : word;
  bump(counts, counted, number);
  if (blocked && WITH_BLOCKED.has(kind)) bump(counts, `!${counted}`, number);
}

const PARTS = ['!', '?'];
const isPart = (word: string) => word.startsWith('!') || word.startsWith('?');

/** The part before the colon. Empty for a total. */
function kindOf(word: string): string {
  const from = isPart(word) ? 1 : 0;
  return word.slice(from, Math.max(from, word.indexOf(':')));
}

/**
 * Adds what was counted since to a half hour’s row. Of domains and networks the most frequent are kept by the
 * Space-Saving method: a word that comes in for another takes over the lowest count as its possible error. Counts are
 * exact as long as all words have room, and `over:<kind>` says how many had none.
 */
export function mergeCounts(row: Counts, added: Counts): void {
  const lowest = new Map(Object.keys(SKETCHED).map((kind) => [kind, lowestKept(row, kind)]));
  for (const [word, number] of added) {
    const before = row.get(word) ?? (isPart(word) ? 0 : (lowest.get(kindOf(word)) ?? 0));
    const after = before + number;
    // A correction that is merged before what it corrects leaves a negative count until then.
    if (after === 0) row.delete(word);
    else row.set(word, after);
  }
  for (const [kind, most] of Object.entries(SKETCHED)) keepMostFrequent(row, kind, most);
}

const wordsOf = (row: Counts, kind: string) => [...row].filter(([word]) => word.startsWith(`${kind}:`));

/** The lowest count of a kind that has no room left, else 0. */
function lowestKept(row: Counts, kind: string): number {
  if (row.get(`over:${kind}`) === undefined) return 0;
  return Math.max(0, Math.min(...wordsOf(row, kind).map(([, count]) => count)));
}

function keepMostFrequent(row: Counts, kind: string, most: number): void {
  const words = wordsOf(row, kind);
  if (words.length <= most) return;
  words.sort(([, one], [, other]) => other - one);
  for (const [word] of words.slice(most)) {
    row.delete(word);
    for (const part of PARTS) row.delete(`${part}${word}`);
  }
  row.set(`over:${kind}`, (row.get(`over:${kind}`) ?? 0) + words.length - most);
}

/** Takes a domain out of a row, for a person’s sake. Returns whether it was there. */
export function dropDomain(row: Counts, domain: string): boolean {
  for (const part of PARTS) row.delete(`${part}domain:${domain}`);
  return row.delete(`domain:${domain}`);
}

export function readCounts(json: string): Counts {
  return new Map(Object.entries(JSON.parse(json) as Record<string, number>));
}

export function writeCounts(counts: Counts): string {
  return JSON.stringify(Object.fromEntries(counts));
}
