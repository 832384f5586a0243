import type { LogSummaryView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useState, useSyncExternalStore } from 'react';
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
/** A finger needs 24 pixels (WCAG 2.2, 2.5.8): at a phone’s width there is room for this many bars. */
const BARS_ON_A_PHONE = 13;
const PHONE = '(max-width: 639px)';

type Bucket = LogSummaryView['buckets'][number];

/** Several buckets in one, so that there are at most this many. */
function merged(
  { buckets, stepMs }: LogSummaryView,
  most: number,
): Pick<LogSummaryView, 'buckets' | 'stepMs'> {
  const size = Math.ceil(buckets.length / most);
  if (size <= 1) return { buckets, stepMs };
  const groups: Bucket[] = [];
  for (const [index, { at, allow, flag, block }] of buckets.entries()) {
    const group = index % size === 0 ? undefined : groups.at(-1);
    if (group === undefined) groups.push({ at, allow, flag, block });
    else {
      group.allow += allow;
      group.flag += flag;
      group.block += block;
    }
  }
  return { buckets: groups, stepMs: stepMs * size };
}

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    () => window.matchMedia(query).matches,
  );
}

const sizeOf = ({ allow, flag, block }: Bucket) => allow + flag + block;

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** Arrow keys move between the bars, which are one stop of the Tab key. */
function moveFocus({ key, currentTarget }: KeyboardEvent<HTMLElement>) {
  const bars = [...(currentTarget.closest('ul')?.querySelectorAll<HTMLElement>('button:enabled') ?? [])];
  bars[bars.indexOf(currentTarget) + (STEPS[key] ?? 0)]?.focus();
}

/** How many validations match, and when they were. A click on a bar shows only its time. */
export function LogSummary({ projectId, query, aside, onPick }: LogSummaryProps) {
  const { data } = useQuery(logSummaryQuery(projectId, query));
  const [focused, setFocused] = useState<number | undefined>();
  const onPhone = useMedia(PHONE);
  if (data === undefined)
    return (
      <div data-pending className="h-15">
        {aside}
      </div>
    );
  const { total, since } = data;
  const { buckets, stepMs } = onPhone ? merged(data, BARS_ON_A_PHONE) : data;
  const most = Math.max(1, ...buckets.map(sizeOf));
  const filled = buckets.filter((bucket) => sizeOf(bucket) > 0);
  const stop = filled.find(({ at }) => at === focused) ?? filled.at(-1);
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
            const all = sizeOf(bucket);
            const text = `${absoluteTime(bucket.at)}: ${plural(all, 'match', 'matches')}`;
            return (
              <li key={bucket.at} className="h-full min-w-0 flex-1">
                <button
                  type="button"
                  title={text}
                  aria-label={text}
                  disabled={all === 0}
                  tabIndex={bucket === stop ? 0 : -1}
                  onKeyDown={moveFocus}
                  onFocus={() => setFocused(bucket.at)}
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
