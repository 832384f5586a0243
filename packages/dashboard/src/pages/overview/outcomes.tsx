import type { Overview } from '@postern/contract/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Fragment } from 'react';
import { campaignsQuery } from '../../api/campaign-queries.ts';
import { apiUrl, TIME_ZONE } from '../../api/client.ts';
import { campaignName } from '../../components/campaign-text.ts';
import { barName, bucketNames } from '../../components/charts/bucket-names.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import type { Layer } from '../../components/charts/stacked-bars.tsx';
import { count, plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';

type Bucket = Overview['series'][number];

const LAYERS: readonly Layer<Bucket>[] = [
  { name: 'Allow', fill: 'var(--color-allow-fill)', value: (row) => row.allow },
  { name: 'Flag', fill: 'var(--color-flag-fill)', value: (row) => row.flag },
  { name: 'Block', fill: 'var(--color-block-fill)', value: (row) => row.block },
];

/** More lines could not be told apart. */
const MOST_DRAWN = 5;

export function Outcomes({ projectId, data }: { projectId: string; data: Overview }) {
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
export function LimitHits({ data }: { data: Overview }) {
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
