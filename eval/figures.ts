/** A share of the corpus, as two counts: `hits` of `of`. */
export interface Figure {
  readonly hits: number;
  readonly of: number;
}

/** One labelled entry and the check’s answer. `true` means that the entry is what the check looks for. */
export interface Judgement {
  /** The entry, as it is written in the corpus. */
  readonly entry: string;
  readonly expected: boolean;
  readonly found: boolean;
  readonly why: string;
}

export interface Miss {
  readonly entry: string;
  /** What went wrong, and the reason for the label. */
  readonly what: string;
}

/** How a check did on one corpus. */
export interface Score {
  /** By name; `recall` and `spared` first. */
  readonly figures: Readonly<Record<string, Figure>>;
  readonly misses: readonly Miss[];
}

/** 1 if there are no entries, because then nothing is wrong. */
export function ratio({ hits, of }: Figure): number {
  return of === 0 ? 1 : hits / of;
}

/** The counts of what the figure leaves out: of the spared ones, those wrongly found. */
export function rest({ hits, of }: Figure): Figure {
  return { hits: of - hits, of };
}

/** The share of the entries that are right, or of those `among` them. */
export function share<T>(
  entries: readonly T[],
  isRight: (entry: T) => boolean,
  among: (entry: T) => boolean = () => true,
): Figure {
  const asked = entries.filter(among);
  return { hits: asked.filter(isRight).length, of: asked.length };
}

/**
 * Recall: the share of the entries to find that were found. Spared: the share of the others that were not. Neither depends
 * on how many of each kind a corpus has. Precision would, and no corpus has the mix of a real project.
 */
export function scoreOf(
  judgements: readonly Judgement[],
  more: Readonly<Record<string, Figure>> = {},
): Score {
  const isRight = ({ expected, found }: Judgement) => expected === found;
  const recall = share(judgements, isRight, ({ expected }) => expected);
  const spared = share(judgements, isRight, ({ expected }) => !expected);
  const misses = judgements
    .filter((one) => !isRight(one))
    .map(({ entry, found, why }) => ({ entry, what: `${found ? 'wrongly found' : 'missed'}: ${why}` }));
  return { figures: { recall, spared, ...more }, misses };
}
