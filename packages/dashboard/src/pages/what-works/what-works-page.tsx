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
import { HowToReport } from './how-to-report.tsx';
import { PolicyResult } from './policy-result.tsx';
import { SignalTable } from './signal-table.tsx';
import { Suggestions } from './suggestions.tsx';

const SPANS = ['7', '30', '90', '365'].map((value) => ({ value, label: `${value} days` }));

export function WhatWorksPage() {
  const project = useProject();
  const [days, setDays] = useState('90');
  const report = useQuery(outcomesQuery(project.id, Number(days)));
  return (
    <Page
      title="What works"
      lead="Which signals and checks were right, measured on the people whose outcome you reported."
      actions={<Choice label="How far back" hideLabel value={days} options={SPANS} onChange={setDays} />}
    >
      <Loaded query={report} pending={<Skeleton className="h-[36rem]" />}>
        {(data) => <Report projectId={project.id} report={data} />}
      </Loaded>
    </Page>
  );
}

function Report({ projectId, report }: { projectId: string; report: OutcomeReportView }) {
  if (report.known === 0) return <HowToReport projectId={projectId} people={report.people} />;
  return (
    <>
      <p className="num text-soft">
        {report.people === 1 ? '1 person was' : `${count(report.people)} people were`} validated,{' '}
        {plural(report.known, 'outcome')} known: {percent(report.bad, report.known)} of them bad.
      </p>
      {report.partial && (
        <Notice kind="note">
          There were too many people in this time span. Only the newest are counted. Choose fewer days to
          count everybody.
        </Notice>
      )}
      <PolicyResult effect={report.policy} />
      <Suggestions projectId={projectId} report={report} />
      <SignalTable rows={report.rows} baseRate={report.baseRate} />
      <Section title="Report more outcomes" lead="The more you report, the narrower the intervals get.">
        <HowToReport projectId={projectId} people={report.people} short />
      </Section>
    </>
  );
}
