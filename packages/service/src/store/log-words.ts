import { ACTIONS, type Recommendation } from '@postern/contract';
import { BoundedMap } from '../model/bounded-map.ts';
import { type History, historyState } from '../model/history.ts';
import type { HistoryEffect, LogRecord, MatchedLists, MatchedRules } from './log-entry.ts';
import { countedWords, FIRST_SHARED } from './statistics/statistics-words.ts';

/**
 * The columns `words`, `rules` and `lists` of a log row: words, each between spaces. What history adds to them is
 * appended in the transaction that reads the history.
 */
export function wordsOf(log: LogRecord): string {
  return countedWords(log.statistics) + resultWords(log);
}

function resultWords({ failed, signals }: HistoryEffect): string {
  let words = '';
  for (const check of failed) words += `check:${check} `;
  for (const signal of signals) words += `signal:${signal} `;
  return words;
}

const wordsOfEffects = new WeakMap<LogRecord['effects'], readonly string[]>();

/** The words that each of `HISTORY_FACTS` adds if it is true. Most requests share their effects with others. */
export function effectWords({ effects }: LogRecord): readonly string[] {
  let words = wordsOfEffects.get(effects);
  if (words === undefined) {
    words = effects.map(resultWords);
    wordsOfEffects.set(effects, words);
  }
  return words;
}

/** What history adds to the words. The PostgreSQL function `postern_keep_wave_1` does the same in SQL. */
export function historyWords(effects: readonly string[], history: History): string {
  const state = historyState(history);
  let words = '';
  for (let fact = 0; state >> fact > 0; fact += 1) if ((state >> fact) & 1) words += effects[fact] ?? '';
  return words.includes('<N>') ? words.replaceAll('<N>', `${history.device?.previousSignups ?? 0}`) : words;
}

export function recommendationOf(recommendations: string, history: History): Recommendation {
  return ACTIONS[Number(recommendations[historyState(history)])] ?? 'allow';
}

/** One text for each `historyState`, or a single one if history changes nothing. */
export function inHistory(texts: readonly string[], history: History): string {
  return texts[texts.length === 1 ? 0 : historyState(history)] ?? '';
}

export function ruleWords(matched: readonly MatchedRules[]): readonly string[] {
  return matched.map(({ live, shadow, failed = [] }) => {
    let words = '';
    for (const id of live) words += `rule:${id} `;
    for (const id of shadow) words += `shadow:${id} `;
    // Only counted in the statistics: a log row does not show it.
    for (const id of failed) words += `failure:${id} `;
    return words === '' ? '' : ` ${words}`;
  });
}

export function listWords(matched: MatchedLists): readonly string[] {
  return matched.map((entries) => entries.map((entry) => ` list:${entry} `).join(''));
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
    let found = read.get(end);
    if (found === undefined) {
      const each = new Set(end.split(' '));
      found = {
        failed: valuesOf(each, 'check:'),
        signals: valuesOf(each, 'signal:'),
        rules: valuesOf(each, 'rule:'),
        shadowRules: valuesOf(each, 'shadow:'),
        lists: valuesOf(each, 'list:'),
      };
      read.set(end, found);
    }
    return found;
  };
}

function valuesOf(words: ReadonlySet<string>, kind: string): string[] {
  return [...words].filter((word) => word.startsWith(kind)).map((word) => word.slice(kind.length));
}
