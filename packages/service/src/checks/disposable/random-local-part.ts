import { readWords } from '../../lists/read-list.ts';

const RARE_PAIRS = new Set(readWords('words/rare-letter-pairs.txt'));

/** Shorter names are too often initials or nicknames. */
const MIN_LENGTH = 8;
const MIN_RARE_PAIRS = 3;
const MIN_RARE_SHARE = 0.3;
/** At least this many runs of digits, with at most this many letters between them: `x7k2q9zf`. */
const MIN_DIGIT_RUNS = 3;
const MAX_LETTER_RUN = 3;

/**
 * Whether the local part looks randomly generated: letters that no language puts side by side, or digits scattered
 * among them. At most one person’s name in 2,000 is misjudged; `eval` measures it. A part with a dot, a hyphen or a
 * non-ASCII letter counts as chosen by a person. Tags are ignored.
 */
export function isRandomLocalPart(local: string): boolean {
  const plus = local.indexOf('+');
  const name = plus > 0 ? local.slice(0, plus) : local;
  if (name.length < MIN_LENGTH || !/^[a-z0-9]+$/.test(name)) return false;
  const letterRuns = name.split(/\d+/).filter((run) => run !== '');
  const digitRuns = name.split(/[a-z]+/).filter((run) => run !== '').length;
  const letters = letterRuns.reduce((sum, run) => sum + run.length, 0);
  const longest = Math.max(0, ...letterRuns.map((run) => run.length));
  if (digitRuns >= MIN_DIGIT_RUNS && letters >= 3 && longest <= MAX_LETTER_RUN) return true;
  return letters >= MIN_LENGTH && hasRarePairs(letterRuns);
}

function hasRarePairs(runs: readonly string[]): boolean {
  let pairs = 0;
  let rare = 0;
  for (const run of runs) {
    for (let index = 1; index < run.length; index++) {
      pairs += 1;
      if (RARE_PAIRS.has(run.slice(index - 1, index + 1))) rare += 1;
    }
  }
  return rare >= MIN_RARE_PAIRS && rare / pairs >= MIN_RARE_SHARE;
}
