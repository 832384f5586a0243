import type { RuleDetail } from '@postern/contract/dashboard';
import { TIME_ZONE } from '../../api/client.ts';
import { barName, bucketNames } from '../../components/charts/bucket-names.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import { type Layer, StackedBars, Swatch } from '../../components/charts/stacked-bars.tsx';
import { plural } from '../../components/format.ts';

type Bar = RuleDetail['series'][number];

const LAYERS: readonly Layer<Bar>[] = [
  { name: 'Live', fill: 'var(--color-accent)', value: ({ live }) => live },
  { name: 'In shadow', fill: 'var(--color-line-strong)', value: ({ shadow }) => shadow },
];

interface MatchChartProps {
  detail: RuleDetail;
  onPick: (bar: Bar) => void;
}

/** The matches of a rule over time: while it was live, and while it was in shadow. */
export function MatchChart({ detail, onPick }: MatchChartProps) {
  const { series, from, to, bucketMs, figures } = detail;
  const names = bucketNames(bucketMs, to - from);
  const matches = plural(figures.matches, 'match', 'matches');
  return (
    <ChartFrame
      title="Matches over time"
      lead={`Validations of live keys, times in ${TIME_ZONE.replaceAll('_', ' ')}. A pale bar is not a whole ${barName(bucketMs)}. A bar opens its rows in the log.`}
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
        head: ['Time', 'Live', 'In shadow'],
        rows: series.map((row) => [names.full(row), row.live, row.shadow]),
      }}
    >
      <StackedBars
        label={`${matches} over time`}
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
