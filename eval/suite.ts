import { readFile } from 'node:fs/promises';
import type { Score } from './figures.ts';

/** The name of our own checks in the tables. */
export const OURS = 'postern';

/** One labelled corpus and the contestants that are measured on it, our own check first. */
export interface Suite {
  /** As floors.json names it. */
  readonly name: string;
  readonly run: () => Promise<SuiteResult>;
}

export interface SuiteResult {
  readonly entries: number;
  readonly scores: readonly Score[];
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
