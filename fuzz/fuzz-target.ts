import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { mutate } from './mutate.ts';
import { createRandom } from './random.ts';
import type { FuzzTarget } from './target.ts';

export interface FuzzLimits {
  readonly seed: number;
  /** Whether to continue after this many inputs. */
  readonly goOn: (inputs: number) => boolean;
  /** Saves an input that failed and returns its path. By default it is saved in the corpus. */
  readonly keepInput?: (target: string, input: Buffer) => string;
}

/** The result of one target’s run. */
export interface FuzzResult {
  readonly inputs: number;
  /** How much the heap grew, in bytes; 0 if the garbage collector cannot be called. */
  readonly heapGrowth: number;
}

/** An input that failed. It is saved in the corpus, so that every later run tries it first. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

const INPUT_LIMIT_MS = 5_000;

function corpusFolder(name: string): string {
  return fileURLToPath(new URL(`./corpus/${name}/`, import.meta.url));
}

export function readCorpus(name: string): readonly Buffer[] {
  const folder = corpusFolder(name);
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(`${folder}${file}`));
}

/** Tries the corpus, then mutated inputs. The same seed gives the same inputs. */
export async function fuzzTarget(target: FuzzTarget, limits: FuzzLimits): Promise<FuzzResult> {
  const { seed, goOn, keepInput = keep } = limits;
  const corpus = readCorpus(target.name);
  const random = createRandom(seed);
  const open = await target.open();
  let inputs = 0;
  let heapAfterCorpus = 0;
  try {
    for (; inputs < corpus.length || goOn(inputs); inputs += 1) {
      if (inputs === corpus.length) heapAfterCorpus = heapUsed();
      const input = corpus[inputs] ?? mutate(corpus, target.words, random);
      try {
        await withinLimit(open.check(input));
      } catch (error) {
        throw new BrokenPromise(
          `${target.name}: input ${inputs} of seed ${seed}, kept as ${keepInput(target.name, input)}`,
          { cause: error },
        );
      }
    }
  } finally {
    await open.close();
  }
  return { inputs, heapGrowth: Math.max(0, heapUsed() - heapAfterCorpus) };
}

function heapUsed(): number {
  if (globalThis.gc === undefined) return 0;
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

async function withinLimit(work: void | Promise<void>): Promise<void> {
  if (!(work instanceof Promise)) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${INPUT_LIMIT_MS} ms`)), INPUT_LIMIT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function keep(name: string, input: Buffer): string {
  const folder = corpusFolder(name);
  mkdirSync(folder, { recursive: true });
  const file = `broke-${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  writeFileSync(`${folder}${file}`, input);
  return `fuzz/corpus/${name}/${file}`;
}
