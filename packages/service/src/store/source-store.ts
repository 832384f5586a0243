import type { Recommendation } from '@postern/contract';

/** Where sign-ups come from. A pattern is the shape of a name with its domain, such as `a99@example.com`. */
export type SourceKind = 'domain' | 'network' | 'pattern';

/** The live validations of a time span, `to` not included. Only the newest few thousand are counted. */
export interface SourceSpan {
  readonly projectId: string;
  readonly from: number;
  readonly to: number;
}

/** Only validations with this recommendation, or from this source. */
export type SourceFilter =
  | { readonly recommendation: Recommendation }
  | { readonly kind: SourceKind; readonly name: string };

export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

/** Counts in the database where sign-ups come from: reading the rows would keep requests waiting. */
export interface SourceStore {
  /** The sources that the most people have in common, at most `limit`. A person who tries again counts once. */
  mostFrequent(
    span: SourceSpan,
    kind: SourceKind,
    filter: SourceFilter | null,
    limit: number,
  ): Promise<NamedCount[]>;
  /** How many people match. `hours`: the time that the counted validations cover, `null` if there are none. */
  people(
    span: SourceSpan,
    filter: SourceFilter | null,
  ): Promise<{ readonly people: number; readonly hours: number | null }>;
  /** How many validations with that recommendation had each signal, for the most frequent signals. */
  signals(span: SourceSpan, recommendation: Recommendation, limit: number): Promise<NamedCount[]>;
}
