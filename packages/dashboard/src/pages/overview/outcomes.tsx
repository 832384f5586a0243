import type { Overview } from '@postern/contract/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { apiUrl, TIME_ZONE } from '../../api/client.ts';
import { barName, bucketNames } from '../../components/charts/bucket-names.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import type { Layer } from '../../components/charts/stacked-bars.tsx';

type Bucket = Overview['series'][number];

const LAYERS: readonly Layer<Bucket>[] = [
  { name: 'Allow', fill: 'var(--color-allow-fill)', value: (row) => row.allow },
  { name: 'Flag', fill: 'var(--color-flag-fill)', value: (row) => row.flag },
  { name: 'Block', fill: 'var(--color-block-fill)', value: (row) => row.block },
];

export function Outcomes({ projectId, data }: { projectId: string; data: Overview }) {
  const navigate = useNavigate();
  const { totals } = data;
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
        </>
      }
      label={`${totals.allow} allowed, ${totals.flag} flagged and ${totals.block} blocked over time`}
      rows={data.series}
      layers={LAYERS}
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
