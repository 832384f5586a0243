import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Params } from '../../api/client.ts';
import { logSummaryQuery } from '../../api/queries.ts';
import { absoluteTime, count, plural } from '../../components/format.ts';
import { Moment } from '../../components/time.tsx';

interface LogSummaryProps {
  projectId: string;
  query: Params;
  /** Shown beside the number of matches. */
  aside: ReactNode;
  /** Shows only the time of one bar. */
  onPick: (from: number, to: number) => void;
}

const ANSWERS = [
  ['block', 'var(--color-block-fill)'],
  ['flag', 'var(--color-flag-fill)'],
  ['allow', 'var(--color-allow-fill)'],
] as const;
const HEIGHT = 36;

/** How many validations match, and when they were. A click on a bar shows only its time. */
export function LogSummary({ projectId, query, aside, onPick }: LogSummaryProps) {
  const { data } = useQuery(logSummaryQuery(projectId, query));
  if (data === undefined)
    return (
      <div data-pending className="h-15">
        {aside}
      </div>
    );
  const { buckets, stepMs, total, since } = data;
  const most = Math.max(1, ...buckets.map(({ allow, flag, block }) => allow + flag + block));
  const sum = (name: 'allow' | 'flag' | 'block') => buckets.reduce((all, bucket) => all + bucket[name], 0);
  return (
    <section aria-label="Matches" className="-my-1 grid gap-1">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="num text-[0.8667rem] text-soft">
          <strong className="text-ink">{plural(total, 'match', 'matches')}</strong>
          {total > 0 &&
            `: ${count(sum('allow'))} allow, ${count(sum('flag'))} flag, ${count(sum('block'))} block`}
          {since !== null && (
            <>
              {' '}
              since <Moment at={since} />; older ones are not counted
            </>
          )}
        </p>
        {aside}
      </div>
      {total > 0 && (
        <ul aria-label="Matches over time" className="flex h-9 items-end gap-px">
          {buckets.map((bucket) => {
            const all = bucket.allow + bucket.flag + bucket.block;
            const text = `${absoluteTime(bucket.at)}: ${plural(all, 'match', 'matches')}`;
            return (
              <li key={bucket.at} className="h-full min-w-0 flex-1">
                <button
                  type="button"
                  title={text}
                  aria-label={text}
                  disabled={all === 0}
                  onClick={() => onPick(bucket.at, bucket.at + stepMs)}
                  className="block h-full w-full rounded-sm hover:bg-hover"
                >
                  <svg
                    aria-hidden="true"
                    className="h-full w-full"
                    viewBox={`0 0 1 ${HEIGHT}`}
                    preserveAspectRatio="none"
                  >
                    {bars(bucket, most).map(({ name, y, height, colour }) => (
                      <rect key={name} x="0" width="1" y={y} height={height} fill={colour} />
                    ))}
                  </svg>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function bars(bucket: { allow: number; flag: number; block: number }, most: number) {
  let y = HEIGHT;
  return [...ANSWERS].reverse().map(([name, colour]) => {
    const height = bucket[name] === 0 ? 0 : Math.max(1, (bucket[name] / most) * HEIGHT);
    y -= height;
    return { name, colour, y, height };
  });
}
