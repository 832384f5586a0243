/** A share of the corpus, as two counts: `hits` of `of`. */
export interface Figure {
  readonly hits: number;
  readonly of: number;
}

/** One labelled entry and a contestant’s answer. `true` means that the entry is what the check looks for. */
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

/** How one contestant did on one corpus. */
export interface Score {
  readonly contestant: string;
  /** By name; `precision` and `recall` first. */
  readonly figures: Readonly<Record<string, Figure>>;
  readonly misses: readonly Miss[];
}

/** 1 if there are no entries, because then nothing is wrong. */
export function ratio({ hits, of }: Figure): number {
  return of === 0 ? 1 : hits / of;
}

export function share<T>(entries: readonly T[], isRight: (entry: T) => boolean): Figure {
  return { hits: entries.filter(isRight).length, of: entries.length };
}

/**
 * Precision: the share of the contestant’s findings that are right. Recall: the share of the labelled entries that it
 * found.
 */
export function scoreOf(
  contestant: string,
  judgements: readonly Judgement[],
  more: Readonly<Record<string, Figure>> = {},
): Score {
  const precision = share(
    judgements.filter(({ found }) => found),
    ({ expected }) => expected,
  );
  const recall = share(
    judgements.filter(({ expected }) => expected),
    ({ found }) => found,
  );
  const misses = judgements
    .filter(({ expected, found }) => expected !== found)
    .map(({ entry, found, why }) => ({ entry, what: `${found ? 'wrongly found' : 'missed'}: ${why}` }));
  return { contestant, figures: { precision, recall, ...more }, misses };
}
