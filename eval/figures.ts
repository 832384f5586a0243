/** A share of the corpus, kept as the two counts so that nobody has to guess what was divided. */
export interface Figure {
  readonly hits: number;
  readonly of: number;
}

/** One labelled entry and what a contestant said of it. `true`: the entry is what the check looks for. */
export interface Judgement {
  /** The entry, as a person would look it up. */
  readonly entry: string;
  readonly expected: boolean;
  readonly found: boolean;
  readonly why: string;
}

export interface Miss {
  readonly entry: string;
  /** What went wrong, and why the label says otherwise. */
  readonly what: string;
}

/** How one contestant did on one corpus. */
export interface Score {
  readonly contestant: string;
  /** By name; `precision` and `recall` first. */
  readonly figures: Readonly<Record<string, Figure>>;
  readonly misses: readonly Miss[];
}

/** A share without any entry to divide by is a whole one: nothing was got wrong. */
export function ratio({ hits, of }: Figure): number {
  return of === 0 ? 1 : hits / of;
}

export function share<T>(entries: readonly T[], isRight: (entry: T) => boolean): Figure {
  return { hits: entries.filter(isRight).length, of: entries.length };
}

/**
 * Precision: of what the contestant found, how much is labelled so. Recall: of what is labelled so, how much the
 * contestant found.
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
