import { isCheckName } from '@postern/contract';
import type {
  OutcomeEffect,
  OutcomeReportView,
  OutcomeRowView,
  RuleGoneBadView,
} from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { outcomesQuery } from '../../api/outcome-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { BadShare } from '../../components/bad-share.tsx';
import { Badge } from '../../components/badge.tsx';
import { CHECKS, signalMeaning } from '../../components/check-names.ts';
import { Choice } from '../../components/choice.tsx';
import { count, percent, plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { effectSides } from '../../components/outcome-effect.ts';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { RuleLinks } from '../../components/rule-links.tsx';
import { StepUps } from '../../components/step-ups.tsx';
import { Cell, Table } from '../../components/table.tsx';
import { SPANS } from '../../components/time-range.ts';
import { HowToReport } from './how-to-report.tsx';
import { Proposals } from './proposals.tsx';

export function WhatWorksPage() {
  const project = useProject();
  const [days, setDays] = useState('90');
  const report = useQuery(outcomesQuery(project.id, Number(days)));
  return (
    <Page
      title="Results"
      lead="Which signals and checks were right, measured on the people whose outcome you reported."
      actions={<Choice label="How far back" hideLabel value={days} options={SPANS} onChange={setDays} />}
    >
      <Loaded query={report} pending={<Skeleton className="h-[36rem]" />}>
        {(data) => (
          <>
            <StepUps stepUps={data.stepUps} />
            <Report projectId={project.id} report={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function peopleText({ people, estimated }: OutcomeReportView): string {
  if (people === 0) return 'Nobody was';
  if (people === 1) return '1 person was';
  return `${estimated ? 'About ' : ''}${count(people)} people were`;
}

function Report({ projectId, report }: { projectId: string; report: OutcomeReportView }) {
  if (report.known === 0) return <HowToReport projectId={projectId} validated={peopleText(report)} />;
  return (
    <>
      <p className="num text-soft">
        {peopleText(report)} validated, {plural(report.known, 'outcome')} known:{' '}
        {percent(report.bad, report.known)} of them bad.
      </p>
      {(report.estimated || report.partial) && (
        <Notice kind="note">
          {report.estimated &&
            'The log of this period is too long to count every person, so the numbers of people are estimates. '}
          {report.partial
            ? `More outcomes are known than this page counts. It counts the ${count(report.known)} people who were seen last.`
            : 'All known outcomes are counted, with the first and the last validation of each person.'}
        </Notice>
      )}
      <RulesGoneBad rules={report.rulesGoneBad} />
      <PolicyResult effect={report.policy} />
      <Proposals projectId={projectId} />
      <SignalTable rows={report.rows} baseRate={report.baseRate} />
      <Section title="Report more outcomes" lead="The more you report, the narrower the intervals get.">
        <HowToReport projectId={projectId} validated={peopleText(report)} short />
      </Section>
    </>
  );
}

const DOES = { flag: 'flags', block: 'blocks' } as const;

/** Names live rules that hit fewer bad people than average. */
function RulesGoneBad({ rules }: { rules: readonly RuleGoneBadView[] }) {
  const project = useProject();
  return rules.map(({ id, name, then, known, bad, baseRate }) => (
    <Notice key={id} kind="warn">
      The rule{' '}
      <Link
        to="/projects/$projectId/rules/$rule"
        params={{ projectId: project.id, rule: id }}
        className="link font-semibold"
      >
        {name}
      </Link>{' '}
      {DOES[then]}, but only {count(bad)} of {count(known)} people it hit are known to be bad. Of everybody,{' '}
      {percent(baseRate, 1)} are. Change it, or put it into shadow.
    </Notice>
  ));
}

/** How many bad and how many good people the policy blocked. */
function PolicyResult({ effect }: { effect: OutcomeEffect }) {
  const [bad, good] = effectSides(effect);
  const figures = [
    { title: 'Bad people blocked', side: bad, tone: 'text-allow' },
    { title: 'Good people blocked', side: good, tone: 'text-block' },
  ];
  return (
    <Section
      title="Your policy"
      lead="How many bad and how many good people it blocked. Each person counts once, with the mildest answer they got."
    >
      <dl className="grid gap-3 sm:grid-cols-2">
        {figures.map(({ title, side, tone }) => (
          <div key={title} className="rounded-lg border border-line bg-sunken px-4 py-3">
            <dt className="text-[0.8667rem] text-soft">{title}</dt>
            <dd
              className={`num text-[1.6rem] leading-tight font-semibold ${side.blocked === 0 ? 'text-soft' : tone}`}
            >
              {side.total === 0 ? '–' : percent(side.blocked, side.total)}
              {side.total > 0 && (
                <span className="ml-2 text-[0.9333rem] font-normal text-soft">
                  {count(side.blocked)} of {count(side.total)}
                </span>
              )}
            </dd>
            <dd className="num text-[0.8667rem] text-faint">
              {side.total === 0
                ? `Nobody is known to be ${side.name} yet.`
                : `${count(side.flagged)} more were flagged.`}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

const KINDS = { signal: 'Signals', check: 'Checks', rule: 'Rules' };

const HEADS = { signal: 'Signal', check: 'Check', rule: 'Rule' } as const;

interface SignalTableProps {
  rows: readonly OutcomeRowView[];
  baseRate: number | null;
}

/** How well each signal, check and rule told bad people from good ones. */
function SignalTable({ rows, baseRate }: SignalTableProps) {
  const [kind, setKind] = useState<keyof typeof KINDS>('signal');
  const shown = rows.filter((row) => row.kind === kind);
  return (
    <Section
      title="Signals, checks and rules"
      lead="The bar is the share of bad people among those with a known outcome. The thin line is its 95% interval, the dashed line the average share. Lift compares the two: 2.0× means twice as many bad people as average."
      actions={<Choice label="What to show" hideLabel value={kind} options={KINDS} onChange={setKind} />}
      flush
    >
      {shown.length === 0 ? (
        <p className="px-5 pb-5 text-soft">Nobody in this period had one.</p>
      ) : (
        <Table
          label="Signals, checks and rules"
          head={[HEADS[kind], 'People', 'Known', 'Bad share', 'Lift']}
          flows
        >
          {shown.map((row) => (
            <SignalRow key={row.name} row={row} baseRate={baseRate} />
          ))}
        </Table>
      )}
    </Section>
  );
}

function SignalRow({ row, baseRate }: { row: OutcomeRowView; baseRate: number | null }) {
  const { id } = useProject();
  const { name, people, known, lift } = row;
  return (
    <tr>
      <Cell className="max-md:basis-full max-md:!pl-0 md:max-w-72">
        {row.kind === 'rule' ? (
          <RuleLinks projectId={id} ids={[name]} />
        ) : (
          <span
            className={row.kind === 'signal' ? 'font-mono text-[0.8333rem] wrap-anywhere' : 'font-medium'}
          >
            {isCheckName(name) ? CHECKS[name].title : name}
          </span>
        )}
        <span className="hidden text-[0.8333rem] text-faint md:block">{meaningOf(row)}</span>
      </Cell>
      <Cell className="num">
        {count(people)} <span className="text-faint md:hidden">people</span>
      </Cell>
      <Cell className="num">
        {count(known)} <span className="text-faint md:hidden">known</span>
      </Cell>
      <Cell className="num max-md:order-last max-md:basis-full">
        <BadShare figures={row} baseRate={baseRate} />
      </Cell>
      <Cell className="num whitespace-nowrap max-md:ml-auto max-md:!pr-0">
        {lift === null ? (
          <span className="text-faint">–</span>
        ) : (
          <Badge tone={certainly(row, baseRate)}>{`${lift.toFixed(1)}×`}</Badge>
        )}
      </Cell>
    </tr>
  );
}

function meaningOf({ kind, name }: OutcomeRowView): string | undefined {
  if (kind === 'signal') return signalMeaning(name);
  return isCheckName(name) ? CHECKS[name].asks : undefined;
}

/** Coloured only if the whole interval is above or below the average share. */
function certainly({ low, high }: OutcomeRowView, baseRate: number | null): 'block' | 'allow' | 'neutral' {
  if (low === null || high === null || baseRate === null) return 'neutral';
  if (low > baseRate) return 'block';
  return high < baseRate ? 'allow' : 'neutral';
}
