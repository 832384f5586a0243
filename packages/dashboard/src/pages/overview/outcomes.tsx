import type { Overview } from '@postern/contract/dashboard';
import { useNavigate } from '@tanstack/react-router';
import { apiUrl, TIME_ZONE } from '../../api/client.ts';
import { barName, bucketNames } from '../../components/charts/bucket-names.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { type Layer, StackedBars, Swatch } from '../../components/charts/stacked-bars.tsx';

type Bucket = Overview['series'][number];

const LAYERS: readonly Layer<Bucket>[] = [
  { name: 'Allow', fill: 'var(--color-allow-fill)', value: (row) => row.allow },
  { name: 'Flag', fill: 'var(--color-flag-fill)', value: (row) => row.flag },
  { name: 'Block', fill: 'var(--color-block-fill)', value: (row) => row.block },
];

export function Outcomes({ projectId, data }: { projectId: string; data: Overview }) {
  const navigate = useNavigate();
  const names = bucketNames(data.bucketMs, data.to - data.from);
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
      legend={
        <div className="flex gap-3 text-[0.8333rem] text-soft">
          {LAYERS.map((layer) => (
            <span key={layer.name} className="flex items-center gap-1.5">
              <Swatch fill={layer.fill} /> {layer.name}
            </span>
          ))}
        </div>
      }
      table={{
        head: ['Time', 'Allow', 'Flag', 'Block'],
        rows: data.series.map((row) => [names.full(row), row.allow, row.flag, row.block]),
      }}
    >
      <StackedBars
        label={`${totals.allow} allowed, ${totals.flag} flagged and ${totals.block} blocked over time`}
        rows={data.series}
        layers={LAYERS}
        nameOf={names.full}
        shortNameOf={names.short}
        onPick={({ at, until }) =>
          void navigate({
            to: '/projects/$projectId/validations',
            params: { projectId },
            search: { mode: 'live', from: at, to: until },
          })
        }
      />
    </ChartFrame>
  );
}
