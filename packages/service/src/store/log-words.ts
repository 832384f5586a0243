import { BoundedMap } from '../model/bounded-map.ts';
import { getOrMake } from '../model/get-or-make.ts';
import type { Judgement } from '../model/judgement.ts';
import type { Listing } from '../model/list-value.ts';
import { countedWords, FIRST_SHARED } from './statistics/statistics-words.ts';
import type { LogRecord } from './submission.ts';

/** The column `words` of a log row: words, each between spaces. */
export function wordsOf(log: LogRecord, { failed, signals }: Judgement): string {
  let words = countedWords(log);
  for (const check of failed) words += `check:${check} `;
  for (const signal of signals) words += `signal:${signal} `;
  return words;
}

/** The column `rules`. */
export function ruleWords({ rules, shadowRules, faultyRules }: Judgement): string {
  let words = '';
  for (const id of rules) words += `rule:${id} `;
  for (const id of shadowRules) words += `shadow:${id} `;
  // Only counted in the statistics: a log row does not show it.
  for (const id of faultyRules) words += `failure:${id} `;
  return words === '' ? '' : ` ${words}`;
}

/** The column `lists`: the list and the kind of the entry that decided, never its value. */
export function listWords(listing: Listing | null): string {
  return listing === null ? '' : ` list:${listing.action}:${listing.kind} `;
}

export interface ReadWords {
  readonly failed: readonly string[];
  readonly signals: readonly string[];
  readonly rules: readonly string[];
  readonly shadowRules: readonly string[];
  readonly lists: readonly string[];
}

const MAX_READ = 10_000;

/** Most rows have the same words at their end, so each different end is read once. */
export function wordsReader(): (words: string) => ReadWords {
  const read = new BoundedMap<string, ReadWords>(MAX_READ);
  return (words) => {
    const end = words.slice(Math.max(0, words.indexOf(FIRST_SHARED)));
    return getOrMake(read, end, () => {
      const each = new Set(end.split(' '));
      return {
        failed: valuesOf(each, 'check:'),
        signals: valuesOf(each, 'signal:'),
        rules: valuesOf(each, 'rule:'),
        shadowRules: valuesOf(each, 'shadow:'),
        lists: valuesOf(each, 'list:'),
      };
    });
  };
}

function valuesOf(words: ReadonlySet<string>, kind: string): string[] {
  return [...words].filter((word) => word.startsWith(kind)).map((word) => word.slice(kind.length));
}
