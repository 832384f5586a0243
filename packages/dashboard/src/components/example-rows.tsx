import type { ValidationRow } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { RecommendationBadge } from './badge.tsx';
import { Ago } from './time.tsx';

interface ExampleRowsProps {
  projectId: string;
  rows: readonly ValidationRow[];
  /** What each row shows beside the address. Without it, the answer. */
  badges?: (row: ValidationRow) => ReactNode;
  className?: string;
}

/** Validations as examples. Each opens in a new window, because the page has unsaved work. */
export function ExampleRows({ projectId, rows, badges = answerOf, className = '' }: ExampleRowsProps) {
  return (
    <ul className="divide-y divide-line text-[0.9rem]">
      {rows.map((row) => (
        <li key={row.id} className={`flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 ${className}`}>
          <Link
            to="/projects/$projectId/validations"
            params={{ projectId }}
            search={{ open: row.id }}
            target="_blank"
            className="min-w-0 truncate font-medium hover:text-accent hover:underline"
          >
            {row.maskedAddress}
          </Link>
          {badges(row)}
          <span className="ml-auto text-[0.8333rem] text-faint">
            <Ago at={row.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const answerOf = ({ recommendation }: ValidationRow) => <RecommendationBadge value={recommendation} />;
