import { ACTIONS, type Recommendation } from '@postern/contract';
import type { Estimate, TimeMachineReport } from '@postern/contract/dashboard';
import { useProject } from '../../api/use-project.ts';
import { ArrowRight } from '../../icons.ts';
import { Badge, RecommendationBadge } from '../badge.tsx';
import { CHECKS } from '../check-names.ts';
import { ExampleRows } from '../example-rows.tsx';
import { count, dayOf, percent, plural } from '../format.ts';
import { Notice } from '../notice.tsx';
import { rangeText } from './estimate-text.ts';
import { OutcomesReplayed } from './outcomes-replayed.tsx';
import { RulesReplayed } from './rules-replayed.tsx';

interface ReplayReportProps {
  projectId: string;
  report: TimeMachineReport;
  /** The ID and the name of a rule that is not saved yet. */
  draft?: readonly [id: string, name: string];
}

export function ReplayReport({ projectId, report, draft }: ReplayReportProps) {
  const { rules } = useProject();
  const { changes } = report;
  const all = report.sampledFrom ?? report.considered;
  const saved = rules.map(({ id, name }) => [id, name] as const);
  const names = new Map(draft === undefined ? saved : [...saved, draft]);
  if (report.considered === 0) {
    return <Notice kind="note">There are no past validations to replay yet.</Notice>;
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="text-[0.9rem] text-faint">
        {report.sampledFrom === null
          ? `${plural(report.considered, 'validation')} replayed, ${spanOf(report)}.`
          : `${count(report.considered)} of ${count(report.sampledFrom)} validations replayed, chosen one by one over ${spanOf(report)}. The numbers below are estimates for all of them, each with its 95% interval.`}
      </p>
      <p className="text-[0.9rem] text-soft">
        Compared with what today’s policy and rules would answer, without this change.
        {report.otherThen.count > 0 &&
          ` ${plural(report.otherThen.count, 'validation was', 'validations were')} answered differently at the time${rangeText(report.otherThen)}: something was changed since, or the request had its own validations.`}
      </p>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        <Figure name="Newly blocked" value={report.newlyBlocked} of={all} tone="text-block" />
        <Figure name="No longer blocked" value={report.noLongerBlocked} of={all} tone="text-ink" />
        <Figure name="Newly flagged" value={report.newlyFlagged} of={all} tone="text-flag" />
        <Figure name="No longer flagged" value={report.noLongerFlagged} of={all} tone="text-ink" />
      </dl>
      <div className="grid gap-2">
        <Bar name="Today" totals={report.before} />
        <Bar name="With the change" totals={report.after} />
      </div>
      <OutcomesReplayed outcomes={report.outcomes} knownPartial={report.knownPartial} />
      <RulesReplayed projectId={projectId} rules={report.rules} names={names} />
      {report.unknown.length > 0 && (
        <Notice kind="warn">
          These checks did not run in some of the requests, and count as passed there:{' '}
          {report.unknown.map((name) => CHECKS[name].title).join(', ')}.
        </Notice>
      )}
      {changes.length === 0 ? (
        <Notice kind="good">No answer would have changed.</Notice>
      ) : (
        changes.map((change) => (
          <ChangeGroup key={`${change.from}-${change.to}`} projectId={projectId} change={change} />
        ))
      )}
    </div>
  );
}

/** The days of the replayed rows. The log may not go back as far as requested. */
function spanOf({ from, to }: TimeMachineReport): string {
  const [first, last] = [dayOf(from), dayOf(to)];
  return first === last ? first : `${first} to ${last}`;
}

function Figure({ name, value, of, tone }: { name: string; value: Estimate; of: number; tone: string }) {
  return (
    <div className="rounded-lg border border-line bg-sunken px-3 py-2.5">
      <dt className="text-[0.8333rem] text-soft">{name}</dt>
      <dd
        className={`num text-[1.3rem] leading-tight font-semibold ${value.count === 0 ? 'text-soft' : tone}`}
      >
        {count(value.count)}
      </dd>
      <dd className="num text-[0.8rem] text-faint">
        {percent(value.count, of)}
        {rangeText(value)}
      </dd>
    </div>
  );
}

function Bar({ name, totals }: { name: string; totals: Readonly<Record<Recommendation, Estimate>> }) {
  const all = ACTIONS.reduce((sum, action) => sum + totals[action].count, 0);
  let x = 0;
  const text = ACTIONS.map((action) => `${action} ${count(totals[action].count)}`).join(' · ');
  return (
    <div className="grid grid-cols-[8rem_minmax(0,1fr)] items-center gap-x-3 text-[0.8667rem]">
      <span className="text-soft">{name}</span>
      <svg
        role="img"
        aria-label={`${name}: ${text}`}
        viewBox="0 0 100 1"
        preserveAspectRatio="none"
        className="h-4 w-full rounded"
      >
        {ACTIONS.map((action) => {
          const width = all === 0 ? 0 : (totals[action].count / all) * 100;
          x += width;
          return (
            <rect key={action} x={x - width} width={width} height="1" fill={`var(--color-${action}-fill)`}>
              <title>{`${action}: ${count(totals[action].count)}`}</title>
            </rect>
          );
        })}
      </svg>
      <span className="num col-start-2 text-faint">{text}</span>
    </div>
  );
}

interface ChangeGroupProps {
  projectId: string;
  change: TimeMachineReport['changes'][number];
}

function ChangeGroup({ projectId, change }: ChangeGroupProps) {
  return (
    <section className="overflow-hidden rounded-lg border border-line">
      <h3 className="flex flex-wrap items-center gap-2 border-b border-line bg-sunken px-3.5 py-2 text-[0.9rem]">
        <RecommendationBadge value={change.from} />
        <ArrowRight size={14} aria-label="becomes" />
        <RecommendationBadge value={change.to} />
        <span className="num ml-auto text-soft">
          {plural(change.count, 'validation')}
          {rangeText(change)}
        </span>
      </h3>
      <ExampleRows
        projectId={projectId}
        rows={change.examples}
        badges={({ failed }) => failed.map((name) => <Badge key={name}>{CHECKS[name].title}</Badge>)}
        className="px-3.5"
      />
    </section>
  );
}
