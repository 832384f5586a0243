import { readFile } from 'node:fs/promises';
import type { Score } from './figures.ts';

/** One labelled corpus and the check that is measured on it. */
export interface Suite {
  /** As floors.json names it. */
  readonly name: string;
  readonly run: () => Promise<SuiteResult>;
}

export interface SuiteResult extends Score {
  readonly entries: number;
}

/** A corpus, check or data file is missing. */
export class Missing extends Error {}

export async function readCorpus<T>(folder: string): Promise<readonly T[]> {
  const path = new URL(`./${folder}/corpus.json`, import.meta.url);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Missing(`eval/${folder}/corpus.json is missing`);
  });
  return JSON.parse(text) as readonly T[];
}
