import type { ShareFigures } from '@postern/contract/dashboard';
import { TIME_ZONE } from '../../api/client.ts';
import { count, percent, plural } from '../format.ts';
import { barName, bucketNames } from './bucket-names.ts';
import { Change } from './change.tsx';
import { ChartFrame } from './chart-frame.tsx';
import type { Layer } from './stacked-bars.tsx';

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
      label={`${plural(figures.count, 'validation')}, ${figures.flagged} flagged and ${figures.blocked} blocked, over time`}
      rows={series}
      layers={LAYERS}
      height={190}
      {...bucketNames(bucketMs, to - from)}
      onPick={onPick}
    />
  );
}
