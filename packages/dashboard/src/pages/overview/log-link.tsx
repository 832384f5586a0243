import type { Overview } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Days } from '../../components/time-range.ts';
import type { Filters } from '../validations/filters.ts';

interface LogLinkProps {
  projectId: string;
  /** The log opens with the same time, so that it shows the rows that were counted. */
  data: Pick<Overview, 'from' | 'to'>;
  search: Filters;
  title?: string | undefined;
  children: ReactNode;
}

export function LogLink({ projectId, data: { from, to }, search, title, children }: LogLinkProps) {
  return (
    <Link
      to="/projects/$projectId/validations"
      params={{ projectId }}
      search={{ ...search, mode: 'live', from, to }}
      title={title}
      className="rounded hover:text-accent hover:underline"
    >
      {children}
    </Link>
  );
}

export interface OverviewPartProps {
  projectId: string;
  data: Overview;
}

export interface BreakdownsProps extends OverviewPartProps {
  /** The days that the overview shows. Other pages open with the same. */
  days: Days;
}
