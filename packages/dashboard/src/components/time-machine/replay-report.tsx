import { ACTIONS, type Recommendation } from '@postern/contract';
import type { Estimate, RuleEffect, TimeMachineReport } from '@postern/contract/dashboard';
import { useProject } from '../../api/use-project.ts';
import { ArrowRight } from '../../icons.ts';
import { Badge, RecommendationBadge } from '../badge.tsx';
import { CHECKS } from '../check-names.ts';
import { ExampleRows } from '../example-rows.tsx';
import { count, dayOf, percent, plural } from '../format.ts';
import { Notice } from '../notice.tsx';
import { effectSides, effectText } from '../outcome-effect.ts';

/** Nothing if the number is exact. */
function rangeText({ low, high }: Pick<Estimate, 'low' | 'high'>): string {
  return low === high ? '' : `, ${count(low)} to ${count(high)}`;
}

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

const TITLES = { bad: 'Bad people', good: 'Good people' } as const;

/** How many bad and good people the policy blocks and flags, today and with the change. */
function OutcomesReplayed({ outcomes, knownPartial }: Pick<TimeMachineReport, 'outcomes' | 'knownPartial'>) {
  if (outcomes.before.bad + outcomes.before.good === 0) return null;
  const [badBefore, goodBefore] = effectSides(outcomes.before);
  const [badAfter, goodAfter] = effectSides(outcomes.after);
  return (
    <section aria-label="People with a known outcome" className="rounded-lg border border-line">
      <h3 className="border-b border-line bg-sunken px-3.5 py-2 text-[0.9rem] font-medium">
        People with a known outcome
      </h3>
      {knownPartial && (
        <p className="px-3.5 pt-3 text-[0.8667rem] text-faint">
          Only the {count(outcomes.before.bad + outcomes.before.good)} who were seen last are counted.
        </p>
      )}
      <dl className="grid gap-3 px-3.5 py-3 text-[0.9rem] sm:grid-cols-2">
        {(
          [
            ['bad', badBefore, badAfter],
            ['good', goodBefore, goodAfter],
          ] as const
        ).map(([name, before, after]) => (
          <div key={name} className="grid gap-0.5">
            <dt className="font-medium">{TITLES[name]}</dt>
            <dd className="num text-soft">Today: {effectText(before)}</dd>
            <dd className="num">With the change: {effectText(after)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

interface RulesReplayedProps {
  projectId: string;
  rules: readonly RuleEffect[];
  names: ReadonlyMap<string, string>;
}

/** What each rule would have matched and changed, and whom of the known people it would have hit. */
function RulesReplayed({ projectId, rules, names }: RulesReplayedProps) {
  if (rules.length === 0) return null;
  return (
    <section aria-label="Rules" className="rounded-lg border border-line">
      <h3 className="border-b border-line bg-sunken px-3.5 py-2 text-[0.9rem] font-medium">Rules</h3>
      <ul className="divide-y divide-line">
        {rules.map((rule) => (
          <li key={rule.id} className="grid gap-1 px-3.5 py-2.5 text-[0.9rem]">
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium wrap-anywhere">{names.get(rule.id) ?? rule.id}</span>
              <span className="num text-soft">
                {estimated(rule.matches, 'match', 'matches')}, {estimated(rule.changed, 'answer')} changed,
                known people hit: {count(rule.bad)} bad and {count(rule.good)} good
              </span>
            </p>
            {rule.examples.length > 0 && <Examples projectId={projectId} rule={rule} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** “40 matches”, from a sample “40 matches (30 to 52)”. */
function estimated(estimate: Estimate, one: string, many = `${one}s`): string {
  const range = rangeText(estimate).slice(2);
  return `${plural(estimate.count, one, many)}${range === '' ? '' : ` (${range})`}`;
}

function Examples({ projectId, rule }: { projectId: string; rule: RuleEffect }) {
  return (
    <details>
      <summary className="text-[0.8667rem] text-accent">Examples</summary>
      <ExampleRows projectId={projectId} rows={rule.examples} />
    </details>
  );
}
