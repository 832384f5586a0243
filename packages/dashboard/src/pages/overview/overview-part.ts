import type { Overview } from '@postern/contract/dashboard';

export interface OverviewPartProps {
  projectId: string;
  data: Overview;
}

/** What 100% is in the lists: validations of which more than the recommendation is known. */
export function detailed({ totals, coverage }: Overview): number {
  return totals.validations - coverage.totalsOnly;
}
