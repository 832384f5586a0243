import type { RuleDetail } from '@postern/contract/dashboard';
import { TIME_ZONE } from '../../api/client.ts';
import { barName, bucketNames } from '../../components/charts/bucket-names.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import type { Layer } from '../../components/charts/stacked-bars.tsx';
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
  const matches = plural(figures.matches, 'match', 'matches');
  return (
    <ChartFrame
      title="Matches over time"
      lead={`Validations of live keys, times in ${TIME_ZONE.replaceAll('_', ' ')}. A pale bar is not a whole ${barName(bucketMs)}. A bar opens its rows in the log.`}
      label={`${matches} over time`}
      rows={series}
      layers={LAYERS}
      height={190}
      {...bucketNames(bucketMs, to - from)}
      onPick={onPick}
    />
  );
}
