import type { ValidationRow } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { RecommendationBadge } from './badge.tsx';
import { Ago } from './time.tsx';

/** Validations with what they were answered. Each opens in a new window, because the page has unsaved work. */
export function ExampleRows({ projectId, rows }: { projectId: string; rows: readonly ValidationRow[] }) {
  return (
    <ul className="divide-y divide-line text-[0.9rem]">
      {rows.map((row) => (
        <li key={row.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
          <Link
            to="/projects/$projectId/validations"
            params={{ projectId }}
            search={{ open: row.id }}
            target="_blank"
            className="min-w-0 truncate font-medium hover:text-accent hover:underline"
          >
            {row.maskedAddress}
          </Link>
          <RecommendationBadge value={row.recommendation} />
          <span className="ml-auto text-[0.8333rem] text-faint">
            <Ago at={row.at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
