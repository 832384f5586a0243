import type { RuleDetail } from '@postern/contract/dashboard';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TIME_ZONE } from '../../api/client.ts';
import { ruleFailuresQuery, ruleQuery, ruleTestQuery, ruleVersionsQuery } from '../../api/rule-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { usePermissions } from '../../api/use-session.ts';
import { actorName } from '../../components/actor-name.ts';
import { BadShare } from '../../components/bad-share.tsx';
import { Badge, RecommendationBadge } from '../../components/badge.tsx';
import { Button, buttonClass } from '../../components/button.tsx';
import { barName, bucketNames } from '../../components/charts/bucket-names.ts';
import { ChartFrame } from '../../components/charts/chart-frame.tsx';
import type { Layer } from '../../components/charts/stacked-bars.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { count, percent, plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, Skeleton, SkeletonRows } from '../../components/pending.tsx';
import { RangeChoice } from '../../components/range-choice.tsx';
import { Ago, Moment } from '../../components/time.tsx';
import { RuleTrial } from './rule-trial.tsx';
import { ruleText } from './rule-words.ts';
import { useRuleChanges } from './use-rule-changes.ts';

const PATH = '/projects/$projectId/rules/$rule';

/** One rule: what it says, how often it matched, and what became of the people. */
export function RulePage() {
  const project = useProject();
  const { rule: id } = useParams({ from: `/app${PATH}` });
  const range = useSearch({ from: `/app${PATH}` });
  const navigate = useNavigate();
  const detail = useQuery({ ...ruleQuery(project.id, id, range), placeholderData: keepPreviousData });
  const params = { projectId: project.id, rule: id };
  return (
    <Page
      title={detail.data?.rule.name ?? project.rules.find((rule) => rule.id === id)?.name ?? id}
      lead={detail.data === undefined ? undefined : ruleText(detail.data.rule)}
      actions={<RuleActions projectId={project.id} detail={detail.data} />}
    >
      <RangeChoice
        range={range}
        onChange={(search) => void navigate({ to: PATH, params, search, replace: true })}
      />
      <Loaded query={detail} pending={<Skeleton className="h-96" />}>
        {(data) => (
          <>
            <RuleResults detail={data} />
            <FailedEvaluations projectId={project.id} id={id} />
            <MatchChart
              detail={data}
              onPick={({ at, until }) =>
                void navigate({
                  to: '/projects/$projectId/validations',
                  params: { projectId: project.id },
                  search: { rule: id, mode: 'live', from: at, to: until },
                })
              }
            />
            <AboutRule projectId={project.id} detail={data} />
            <RuleVersions projectId={project.id} id={id} />
            <Replayed projectId={project.id} when={data.rule.when} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface DetailProps {
  projectId: string;
  detail: RuleDetail;
}

function RuleActions({ projectId, detail }: { projectId: string; detail: RuleDetail | undefined }) {
  const may = usePermissions();
  const changes = useRuleChanges(projectId);
  const navigate = useNavigate();
  if (!may.change || detail === undefined) return null;
  const { rule } = detail;
  const other = rule.mode === 'live' ? 'shadow' : 'live';
  const leave = () => void navigate({ to: '/projects/$projectId/rules', params: { projectId } });
  return (
    <>
      <Button variant="danger" disabled={changes.busy} onClick={() => changes.remove(rule, leave)}>
        Delete
      </Button>
      <Button disabled={changes.busy} onClick={() => changes.switchTo(rule, other)}>
        {other === 'live' ? 'Make it live' : 'Put it in shadow'}
      </Button>
      <Link
        to="/projects/$projectId/rules/$rule/edit"
        params={{ projectId, rule: rule.id }}
        className={buttonClass('primary')}
      >
        Edit
      </Link>
    </>
  );
}

function AboutRule({ projectId, detail: { rule, place } }: DetailProps) {
  const { expiresAt, createdAt, changedAt, changedBy, changedByName } = rule;
  const by = actorName(changedBy ?? '', changedByName);
  return (
    <Section title="The rule">
      <div className="grid gap-3">
        <p className="flex flex-wrap items-center gap-2">
          <RecommendationBadge value={rule.then} />
          <Badge tone={rule.mode === 'live' ? 'accent' : 'neutral'}>{rule.mode}</Badge>
          <span className="text-soft">number {place} in the order</span>
        </p>
        <CodeBlock label="the condition" code={rule.when} />
        <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-[0.9rem] [&>dd]:wrap-anywhere [&>dt]:text-soft">
          <dt>ID</dt>
          <dd className="font-mono">{rule.id}</dd>
          {rule.note !== undefined && (
            <>
              <dt>Note</dt>
              <dd>{rule.note}</dd>
            </>
          )}
          {rule.message !== undefined && (
            <>
              <dt>Message</dt>
              <dd>{rule.message}</dd>
            </>
          )}
          {expiresAt !== undefined && (
            <>
              <dt>{expiresAt <= Date.now() ? 'Ended' : 'Ends'}</dt>
              <dd>
                <Moment at={expiresAt} />
              </dd>
            </>
          )}
          {createdAt !== undefined && (
            <>
              <dt>Created</dt>
              <dd>
                <Moment at={createdAt} />
              </dd>
            </>
          )}
          {changedAt !== undefined && (
            <>
              <dt>Changed</dt>
              <dd>
                <Moment at={changedAt} /> by {by}
              </dd>
            </>
          )}
          {rule.lists.length > 0 && (
            <>
              <dt>Asks lists</dt>
              <dd>
                <Link to="/projects/$projectId/lists" params={{ projectId }} className="link">
                  {rule.lists.join(', ')}
                </Link>
              </dd>
            </>
          )}
        </dl>
      </div>
    </Section>
  );
}

/** Said only if an evaluation failed. */
function FailedEvaluations({ projectId, id }: { projectId: string; id: string }) {
  const { data = [] } = useQuery(ruleFailuresQuery(projectId));
  const failures = data.find((each) => each.id === id);
  if (failures === undefined) return null;
  return (
    <Notice kind="warn">
      Its evaluation failed in {plural(failures.count, 'validation')} of the last 30 days
      {failures.lastAt !== null && (
        <>
          , last in the half hour from <Moment at={failures.lastAt} />
        </>
      )}
      , for example by a division by zero. It did not match then.
    </Notice>
  );
}

/** The condition as it is now, on the log of the last 30 days. */
function Replayed({ projectId, when }: { projectId: string; when: string }) {
  const trial = useQuery(ruleTestQuery(projectId, when));
  return (
    <Section
      title="The condition on the last 30 days"
      lead="What it would have matched as it is written now, whenever the rule was made."
    >
      <Loaded query={trial} pending={<SkeletonRows rows={4} />}>
        {(data) => <RuleTrial projectId={projectId} trial={data} />}
      </Loaded>
    </Section>
  );
}

/** How the rule did in the chosen time. */
function RuleResults({ detail: { figures, baseRate } }: { detail: RuleDetail }) {
  const { matches, people, known, bad, lastAt } = figures;
  return (
    <dl className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4">
      <Figure name="Matches" value={count(matches)} more={`by ${plural(people, 'person', 'people')}`} />
      <Figure
        name="Bad among the known"
        value={known === 0 ? '–' : percent(bad, known)}
        more={<BadShare figures={figures} baseRate={baseRate} />}
      />
      <Figure
        name="Good people hit"
        value={count(known - bad)}
        more={known === 0 ? 'nobody is known yet' : `of ${count(known)} known people`}
      />
      <Figure
        name="Last match"
        value={lastAt === null ? 'none' : <Ago at={lastAt} />}
        more={baseRate === null ? '' : `average share of bad people: ${percent(baseRate, 1)}`}
      />
    </dl>
  );
}

function Figure({ name, value, more }: { name: string; value: ReactNode; more: ReactNode }) {
  return (
    <div className="card min-w-0 px-4 py-3">
      <dt className="text-[0.8667rem] text-soft">{name}</dt>
      <dd className="num text-[1.4rem] leading-tight font-semibold">{value}</dd>
      <dd className="num mt-1 text-[0.8333rem] text-faint">{more}</dd>
    </div>
  );
}

interface RuleVersionsProps {
  projectId: string;
  id: string;
}

/** The rule as it was saved each time, newest first. */
function RuleVersions({ projectId, id }: RuleVersionsProps) {
  const versions = useQuery(ruleVersionsQuery(projectId, id));
  return (
    <Section
      title="Versions"
      lead={
        <>
          The rule as it was saved each time. The{' '}
          <Link to="/projects/$projectId/policy-history" params={{ projectId }} className="link">
            history of the policy
          </Link>{' '}
          goes back to an earlier one.
        </>
      }
    >
      <Loaded query={versions} pending={<SkeletonRows rows={2} />}>
        {(rows) => (
          <ol className="divide-y divide-line">
            {rows.map(({ version, at, by, byName, reason, rule }) => (
              <li key={version} className="grid gap-1 py-2.5">
                <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[0.8667rem] text-soft">
                  <span className="font-medium">Version {version}</span>
                  <span>
                    <Moment at={at} /> by {actorName(by, byName)}
                  </span>
                  <Badge tone={rule.mode === 'live' ? 'accent' : 'neutral'}>{rule.mode}</Badge>
                </p>
                <p className="wrap-anywhere">{ruleText(rule)}</p>
                {reason !== null && <p className="text-[0.9rem] text-soft wrap-anywhere">Why: {reason}</p>}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

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
function MatchChart({ detail, onPick }: MatchChartProps) {
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
