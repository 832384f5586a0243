import { readFile } from 'node:fs/promises';
import type { Score } from './figures.ts';

/** Our own checks’ name in every table. */
export const OURS = 'postern';

/** One labelled corpus and everybody who is measured on it, our own check first. */
export interface Suite {
  /** As floors.json names it. */
  readonly name: string;
  readonly run: () => Promise<SuiteResult>;
}

export interface SuiteResult {
  readonly entries: number;
  readonly scores: readonly Score[];
}

/** A corpus, check or data file that is not there. */
export class Missing extends Error {}

export async function readCorpus<T>(folder: string): Promise<readonly T[]> {
  const path = new URL(`./${folder}/corpus.json`, import.meta.url);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Missing(`eval/${folder}/corpus.json is missing`);
  });
  return JSON.parse(text) as readonly T[];
}
