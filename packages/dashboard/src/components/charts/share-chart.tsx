import type { ShareFigures } from '@postern/contract/dashboard';
import { TIME_ZONE } from '../../api/client.ts';
import { count, percent, plural } from '../format.ts';
import { barName, bucketNames } from './bucket-names.ts';
import { Change } from './change.tsx';
import { ChartFrame } from './chart-frame.tsx';
import { type Layer, StackedBars, Swatch } from './stacked-bars.tsx';

type Bar = ShareFigures['series'][number];

const LAYERS: readonly Layer<Bar>[] = [
  {
    name: 'Allowed',
    fill: 'var(--color-allow-fill)',
    value: (row) => row.count - row.flagged - row.blocked,
  },
  { name: 'Flagged', fill: 'var(--color-flag-fill)', value: (row) => row.flagged },
  { name: 'Blocked', fill: 'var(--color-block-fill)', value: (row) => row.blocked },
];

interface ShareChartProps {
  figures: ShareFigures;
  /** Said when the figures are estimates. */
  estimate: string;
  onPick: (bar: Bar) => void;
}

/** The validations of one domain or network over time, and how many of them were flagged and blocked. */
export function ShareChart({ figures, estimate, onPick }: ShareChartProps) {
  const { series, previous, from, to, bucketMs } = figures;
  const names = bucketNames(bucketMs, to - from);
  return (
    <ChartFrame
      title="Validations over time"
      lead={
        <>
          {plural(figures.count, 'validation')}, {count(figures.flagged)} flagged and {count(figures.blocked)}{' '}
          blocked ({percent(figures.blocked, figures.count)}).{' '}
          {previous.count > 0 && (
            <>
              <Change now={figures.count} before={previous.count} /> vs. previous period.{' '}
            </>
          )}
          Live keys, times in {TIME_ZONE.replaceAll('_', ' ')}. A pale bar is not a whole {barName(bucketMs)}.
          {!figures.exact && ` ${estimate}`}
        </>
      }
      legend={
        <div className="flex gap-3 text-[0.8333rem] text-soft">
          {LAYERS.map(({ name, fill }) => (
            <span key={name} className="flex items-center gap-1.5">
              <Swatch fill={fill} /> {name}
            </span>
          ))}
        </div>
      }
      table={{
        head: ['Time', 'Validations', 'Flagged', 'Blocked'],
        rows: series.map((row) => [names.full(row), row.count, row.flagged, row.blocked]),
      }}
    >
      <StackedBars
        label={`${plural(figures.count, 'validation')}, ${figures.flagged} flagged and ${figures.blocked} blocked, over time`}
        rows={series}
        layers={LAYERS}
        height={190}
        nameOf={names.full}
        shortNameOf={names.short}
        onPick={onPick}
      />
    </ChartFrame>
  );
}
