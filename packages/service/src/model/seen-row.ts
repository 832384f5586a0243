import type { Recommendation } from '@postern/contract';

/** One validation, as far as rings look at it. */
export interface SeenRow {
  readonly at: number;
  readonly inbox: string;
  readonly device: string | null;
  /** A /24, or a /48 of IPv6. */
  readonly network: string | null;
  readonly domain: string;
  /** The shape of the name, such as `a99`. */
  readonly shape: string | null;
  readonly recommendation: Recommendation;
}
