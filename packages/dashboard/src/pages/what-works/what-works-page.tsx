import type { OutcomeReportView } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { outcomesQuery } from '../../api/outcome-queries.ts';
import { useProject } from '../../api/use-project.ts';
import { Choice } from '../../components/choice.tsx';
import { count, percent, plural } from '../../components/format.ts';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Loaded, Skeleton } from '../../components/pending.tsx';
import { StepUps } from '../../components/step-ups.tsx';
import { SPANS } from '../../components/time-range.ts';
import { HowToReport } from './how-to-report.tsx';
import { PolicyResult } from './policy-result.tsx';
import { Proposals } from './proposals.tsx';
import { RulesGoneBad } from './rules-gone-bad.tsx';
import { SignalTable } from './signal-table.tsx';
import { Suggestions } from './suggestions.tsx';

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
      <Suggestions projectId={projectId} report={report} />
      <Proposals projectId={projectId} />
      <SignalTable rows={report.rows} baseRate={report.baseRate} />
      <Section title="Report more outcomes" lead="The more you report, the narrower the intervals get.">
        <HowToReport projectId={projectId} validated={peopleText(report)} short />
      </Section>
    </>
  );
}
