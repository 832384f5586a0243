import type { Recommendation } from '@postern/contract';
import type { CrowdThing } from '@postern/contract/rules';
import type { FactsForRules } from './facts-for-rules.ts';

/** One validation, as far as campaigns look at it. */
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
  readonly facts: Partial<Pick<FactsForRules, 'mailKind' | 'mailHost' | 'ipKind'>>;
  /** What spoke against the person at that time: a crowd, or a device that brought too many. */
  readonly accused: readonly CrowdThing[];
  /** The project’s own list that decided. */
  readonly listed: 'allow' | 'block' | null;
}
