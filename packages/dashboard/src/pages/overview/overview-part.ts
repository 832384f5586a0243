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
