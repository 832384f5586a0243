import type { Overview } from '@postern/contract/dashboard';
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { campaignsQuery } from '../../api/campaign-queries.ts';
import { apiUrl, TIME_ZONE } from '../../api/client.ts';
import { overviewQuery } from '../../api/queries.ts';
import { useNewestRow } from '../../api/use-live-rows.ts';
import { useProject } from '../../api/use-project.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { campaignName } from '../../components/campaign-text.ts';
import { barName, bucketNames } from '../../components/charts/bucket-names.ts';
import { Change } from '../../components/charts/change.tsx';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import type { Layer } from '../../components/charts/stacked-bars.tsx';
import { Choice } from '../../components/choice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { count, dayOf, milliseconds, percent, plural, shortCount } from '../../components/format.ts';
import { Meter } from '../../components/meter.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { type Days, RANGE_NAMES } from '../../components/time-range.ts';
import { Activity } from '../../icons.ts';
import { TryAddress } from '../../shell/try-address.ts';
import { Proposals, proposalsQuery } from '../what-works/proposals.tsx';
import { Breakdowns } from './breakdowns.tsx';
import { Growing, useGrowing } from './growing.tsx';
import { MorningBrief } from './morning-brief.tsx';
import { Onboarding } from './onboarding.tsx';
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

/** Reads the numbers again when validations come in. */
function useFreshOverview(projectId: string, enabled: boolean): void {
  const queryClient = useQueryClient();
  const newest = useNewestRow(projectId, enabled);
  const seen = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (newest === undefined) return;
    const isNew = seen.current === undefined ? newest.isNew : newest.id !== seen.current;
    seen.current = newest.id;
    if (isNew) void queryClient.invalidateQueries({ queryKey: ['overview', projectId] });
  }, [newest, projectId, queryClient]);
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
  const tryAddress = useContext(TryAddress);
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
            <Button onClick={tryAddress}>Try an address</Button>
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

type Bucket = Overview['series'][number];

const LAYERS: readonly Layer<Bucket>[] = [
  { name: 'Allow', fill: 'var(--color-allow-fill)', value: (row) => row.allow },
  { name: 'Flag', fill: 'var(--color-flag-fill)', value: (row) => row.flag },
  { name: 'Block', fill: 'var(--color-block-fill)', value: (row) => row.block },
];

/** More lines could not be told apart. */
const MOST_DRAWN = 5;

function Outcomes({ projectId, data }: { projectId: string; data: Overview }) {
  const navigate = useNavigate();
  const { totals, series } = data;
  const { data: found } = useInfiniteQuery(campaignsQuery(projectId));
  const campaigns = (found?.pages[0]?.rows ?? [])
    .filter(({ since, lastSeen }) => lastSeen >= data.from && since < data.to)
    .slice(0, MOST_DRAWN);
  const csv = apiUrl('GET /projects/:id/overview.csv', {
    id: projectId,
    from: data.from,
    to: data.to,
    timeZone: data.timeZone,
  });
  return (
    <ChartFrame
      title="Recommendations over time"
      lead={
        <>
          Times in {TIME_ZONE.replaceAll('_', ' ')}. A pale bar is not a whole {barName(data.bucketMs)}.{' '}
          <a href={csv} download={`${projectId}-overview.csv`} className="link">
            Export as CSV
          </a>
          {campaigns.length > 0 && ' A line above the bars is a campaign: '}
          {campaigns.map(({ id: campaignId, ...campaign }, index) => (
            <Fragment key={campaignId}>
              {index > 0 && ', '}
              <Link
                to="/projects/$projectId/campaigns/$campaignId"
                params={{ projectId, campaignId }}
                className="link"
              >
                {campaignName(campaign)}
              </Link>
            </Fragment>
          ))}
        </>
      }
      label={`${totals.allow} allowed, ${totals.flag} flagged and ${totals.block} blocked over time`}
      rows={series}
      layers={LAYERS}
      spans={campaigns.map((campaign) => ({
        key: campaign.id,
        name: campaignName(campaign),
        first: series.findIndex(({ until }) => until > campaign.since),
        last: series.findLastIndex(({ at }) => at <= campaign.lastSeen),
      }))}
      {...bucketNames(data.bucketMs, data.to - data.from)}
      onPick={({ at, until }) =>
        void navigate({
          to: '/projects/$projectId/validations',
          params: { projectId },
          search: { mode: 'live', from: at, to: until },
        })
      }
    />
  );
}

const LIMITS: readonly Layer<Bucket>[] = [
  { name: 'Rate limit (429)', fill: 'var(--color-flag-fill)', value: (row) => row.rateLimited },
  { name: 'Quota (402)', fill: 'var(--color-block-fill)', value: (row) => row.quotaExceeded },
];

/** Requests that a limit refused. If there are none, a notice instead of a chart. */
function LimitHits({ data }: { data: Overview }) {
  const { rateLimited, quotaExceeded } = data.totals;
  if (rateLimited + quotaExceeded === 0) {
    return (
      <Notice kind="good">No requests were refused: neither the rate limit nor the quota was reached.</Notice>
    );
  }
  return (
    <ChartFrame
      title="Refused by a limit"
      lead={`${plural(rateLimited, 'request')} over the hourly rate, ${count(quotaExceeded)} over the monthly quota. You can change both limits in the settings.`}
      label={`${rateLimited} requests over the rate limit and ${quotaExceeded} over the quota`}
      rows={data.series}
      layers={LIMITS}
      height={130}
      {...bucketNames(data.bucketMs, data.to - data.from)}
    />
  );
}
