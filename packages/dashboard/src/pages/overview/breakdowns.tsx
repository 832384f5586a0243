import type { ReactNode } from 'react';
import { BarList } from '../../components/charts/bar-list.tsx';
import { changeText } from '../../components/charts/change.tsx';
import { CHECKS, signalMeaning } from '../../components/check-names.ts';
import { count } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { LogLink } from './log-link.tsx';
import { Origins } from './origins.tsx';
import type { BreakdownsProps, OverviewPartProps } from './overview-part.ts';
import { TopDomains } from './top-domains.tsx';
import { Trend } from './trend.tsx';

/** Why addresses failed and where they come from. Each row links to the log of the same period. */
export function Breakdowns(props: BreakdownsProps) {
  return (
    <>
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
        <FailingChecks {...props} />
        <Signals {...props} />
        <TopDomains {...props} />
      </div>
      <Origins {...props} />
    </>
  );
}

const trendText = (what: string, now: number, before: number) =>
  `${what} over time: ${count(now)}, ${count(before)} in the previous period`;

function FailingChecks({ projectId, data }: OverviewPartProps) {
  const rows = data.checks
    .filter(({ failed }) => failed > 0)
    .sort((one, other) => other.failed - one.failed)
    .map(({ check, ran, failed, previousFailed, series }) => ({
      key: check,
      value: failed,
      name: (
        <LogLink
          projectId={projectId}
          data={data}
          search={{ check }}
          title={`Ran ${count(ran)} times; ${changeText(failed, previousFailed)}`}
        >
          {CHECKS[check].title}
        </LogLink>
      ),
      aside: <Trend label={trendText(CHECKS[check].title, failed, previousFailed)} values={series} />,
    }));
  return (
    <Section title="Failing checks" lead="With the trend over this period.">
      <BarList
        label="Failing checks"
        head={['Check', 'Failures']}
        rows={rows}
        of={data.totals.validations}
        empty="No check has failed."
      />
    </Section>
  );
}

function Signals({ projectId, data }: OverviewPartProps) {
  const rows = data.signals.map(({ signal, count: value, previous, series }) => ({
    key: signal,
    value,
    name: (
      <LogLink
        projectId={projectId}
        data={data}
        search={{ signal }}
        title={`${signalMeaning(signal) ?? signal} ${changeText(value, previous)}.`}
      >
        <code className="font-mono text-[0.8333rem] whitespace-normal wrap-anywhere">
          {breakable(signal)}
        </code>
      </LogLink>
    ),
    aside: <Trend label={trendText(signal, value, previous)} values={series} />,
  }));
  return (
    <Section title="Signals" lead="With the trend over this period.">
      <BarList
        label="Signals"
        head={['Signal', 'Count']}
        rows={rows}
        of={data.totals.validations}
        empty="No signals."
      />
    </Section>
  );
}

/** A long name breaks after an underscore, not inside a word. */
function breakable(name: string): ReactNode[] {
  return name.split('_').map((part, index) => (index === 0 ? part : ['_', <wbr key={part} />, part]));
}
