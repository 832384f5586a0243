import { REVIEW_MAX_COUNTED } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { reviewCountQuery } from '../api/outcome-queries.ts';
import { shortCount } from '../components/format.ts';

/** How many sign-ups wait for a decision; nothing when none do. */
export function ReviewCount({ projectId }: { projectId: string }) {
  const { data = 0 } = useQuery(reviewCountQuery(projectId));
  if (data === 0) return null;
  return (
    <span className="num ml-auto rounded-md bg-flag-soft px-1.5 text-[0.8rem] text-flag">
      {shortCount(data)}
      {data >= REVIEW_MAX_COUNTED && <span aria-hidden="true">+</span>}
      <span className="sr-only">{data >= REVIEW_MAX_COUNTED ? ' or more waiting' : ' waiting'}</span>
    </span>
  );
}
