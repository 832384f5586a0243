import type { Overview, ValidationRow } from '@postern/contract/dashboard';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { overviewQuery } from '../../api/queries.ts';
import { useLiveStream } from '../../api/use-live-rows.ts';
import { useProject } from '../../api/use-project.ts';
import { buttonClass } from '../../components/button.tsx';
import { Change } from '../../components/charts/change.tsx';
import { Choice } from '../../components/choice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { count, dayOf, milliseconds, percent, shortCount } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { type Days, RANGE_NAMES } from '../../components/time-range.ts';
import { Activity } from '../../icons.ts';
import { Proposals, proposalsQuery } from '../what-works/proposals.tsx';
import { Breakdowns } from './breakdowns.tsx';
import { Growing, useGrowing } from './growing.tsx';
import { MorningBrief } from './morning-brief.tsx';
import { Onboarding } from './onboarding.tsx';
import { LimitHits, Outcomes } from './outcomes.tsx';
import { SafetyChecklist } from './safety-checklist.tsx';

export function OverviewPage() {
  const project = useProject();
  const { days = 1 } = useSearch({ from: '/app/projects/$projectId/' });
  const navigate = useNavigate();
  const overview = useQuery({ ...overviewQuery(project.id, days), placeholderData: keepPreviousData });
  const growing = useGrowing(project.id);
  const proposals = useQuery(proposalsQuery(project.id));
  const waited = useWaited();
  const ready = waited || !(growing.isPending || proposals.isPending);
  useFreshOverview(project.id, overview.isSuccess);
  return (
    <Page
      title={project.name}
      actions={
        <Choice
          label="How far back"
          hideLabel
          value={String(days)}
          options={RANGE_NAMES}
          onChange={(value) =>
            void navigate({
              to: '/projects/$projectId',
              params: { projectId: project.id },
              search: { days: Number(value) as Days },
            })
          }
        />
      }
    >
      <MorningBrief projectId={project.id} />
      <Loaded query={ready ? overview : { ...overview, data: undefined }} pending={<OverviewPending />}>
        {(data) => (
          <>
            <Growing projectId={project.id} grown={growing.grown} />
            {(proposals.data?.proposals.length ?? 0) > 0 && <Proposals projectId={project.id} />}
            <OverviewBody projectId={project.id} data={data} days={days} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** What comes late would push the rest down, so the page waits for it, but not for long. */
const WAITED_MS = 1_500;

function useWaited(): boolean {
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), WAITED_MS);
    return () => clearTimeout(timer);
  }, []);
  return waited;
}

const REFRESH_MS = 2_000;

/** Reads the numbers again when validations come in, at most every two seconds. */
function useFreshOverview(projectId: string, enabled: boolean): void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const seen = useRef('');
  const refresh = () => {
    timer.current = undefined;
    void queryClient.invalidateQueries({ queryKey: ['overview', projectId] });
  };
  const onRows = (rows: ValidationRow[]) => {
    const newest = rows.reduce((id, row) => (row.id > id ? row.id : id), '');
    if (newest <= seen.current) return;
    const wait = seen.current === '' ? 0 : REFRESH_MS;
    seen.current = newest;
    timer.current ??= setTimeout(refresh, wait);
  };
  useLiveStream(projectId, {}, enabled, { onRows, onReopened: refresh });
  useEffect(() => () => clearTimeout(timer.current), []);
}

function OverviewPending() {
  return (
    <div className="grid gap-4" role="status" aria-label="Loading">
      <div className="grid grid-cols-2 gap-4 lg:grid-cols-4">
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className="h-[6.6rem]" />
        ))}
      </div>
      <Skeleton className="h-80" />
      <div className="grid gap-4 lg:grid-cols-3">
        <Skeleton className="h-72" />
        <Skeleton className="h-72" />
        <Skeleton className="h-72" />
      </div>
    </div>
  );
}

interface OverviewBodyProps {
  projectId: string;
  data: Overview;
  days: Days;
}

function OverviewBody({ projectId, data, days }: OverviewBodyProps) {
  const { totals } = data;
  if (totals.validations + totals.rateLimited + totals.quotaExceeded === 0) {
    return (
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <Onboarding key={projectId} projectId={projectId} reserve />
        <NothingYet projectId={projectId} used={data.quota.used} range={RANGE_NAMES[days]} />
        <SafetyChecklist projectId={projectId} />
      </div>
    );
  }
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <Totals data={data} />
      <Outcomes projectId={projectId} data={data} />
      <Breakdowns projectId={projectId} data={data} days={days} />
      <LimitHits data={data} />
      <Onboarding key={projectId} projectId={projectId} reserve={false} />
      <SafetyChecklist projectId={projectId} />
    </div>
  );
}

function NothingYet({ projectId, used, range }: { projectId: string; used: number; range: string }) {
  return (
    <div className="card">
      <EmptyState
        icon={Activity}
        title={used > 0 ? `No validations in the last ${range}` : 'Waiting for the first validation'}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <Link to="/projects/$projectId/keys" params={{ projectId }} className={buttonClass('primary')}>
              Create a key
            </Link>
            <Link to="/projects/$projectId/playground" params={{ projectId }} className={buttonClass()}>
              Try an address
            </Link>
          </div>
        }
      >
        After the first request, this page shows how many addresses were allowed, flagged and blocked, why,
        and how long the checks took.
      </EmptyState>
    </div>
  );
}

function Totals({ data: { totals, previous, latencyMs, quota } }: { data: Overview }) {
  const before = previous.totals;
  const isComparable = before.validations > 0;
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Total name="Validations" value={shortCount(totals.validations)}>
        {percent(totals.allow, totals.validations)} allowed
        {isComparable && (
          <>
            {' · '}
            <Change now={totals.validations} before={before.validations} /> vs. previous period
          </>
        )}
      </Total>
      <Total name="Flagged · blocked" value={`${shortCount(totals.flag)} · ${shortCount(totals.block)}`}>
        {isComparable ? (
          <>
            <Change now={totals.flag} before={before.flag} /> ·{' '}
            <Change now={totals.block} before={before.block} /> vs. previous period
          </>
        ) : (
          `${percent(totals.flag, totals.validations)} · ${percent(totals.block, totals.validations)} of all`
        )}
      </Total>
      <Total name="Answer time (median)" value={latencyMs === null ? '–' : milliseconds(latencyMs.p50)}>
        {latencyMs === null
          ? 'No answers yet'
          : `p95 ${milliseconds(latencyMs.p95)}, p99 ${milliseconds(latencyMs.p99)}`}
      </Total>
      <Total name="Quota this month" value={shortCount(quota.used)}>
        <span className="grid gap-1.5">
          <Meter label="Quota used" value={quota.used} max={quota.limit} />
          <span>
            of {count(quota.limit)}, resets {dayOf(Date.parse(quota.resetAt))}
          </span>
        </span>
      </Total>
    </dl>
  );
}

function Total({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="card flex min-w-0 flex-col px-4 py-3.5">
      <dt className="text-[0.8667rem] text-soft">{name}</dt>
      <dd className="num mt-1 text-[1.45rem] leading-tight font-semibold tracking-tight">{value}</dd>
      <dd className="num mt-auto pt-1.5 text-[0.8333rem] text-faint">{children}</dd>
    </div>
  );
}
