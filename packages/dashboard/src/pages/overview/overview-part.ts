import type { Overview } from '@postern/contract/dashboard';
import type { Days } from '../../components/time-range.ts';

export interface OverviewPartProps {
  projectId: string;
  data: Overview;
}

export interface BreakdownsProps extends OverviewPartProps {
  /** The days that the overview shows. Other pages open with the same. */
  days: Days;
}

/** What 100% is in the lists: validations of which more than the recommendation is known. */
export function detailed({ totals, coverage }: Overview): number {
  return totals.validations - coverage.totalsOnly;
}
