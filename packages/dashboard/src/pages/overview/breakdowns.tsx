import type { Overview } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { CHECKS, signalMeaning } from '../../components/check-names.ts';
import { count } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import type { Filters } from '../validations/filters.ts';
import { BarList } from './bar-list.tsx';
import { groupSignals } from './group-signals.ts';

const ROWS = 8;

interface PartProps {
  projectId: string;
  /** The log's time filter for the range that is shown. */
  span: string;
  data: Overview;
  /** What the counts are based on, where that is not everything. */
  basis: string | undefined;
}

/** Why addresses failed and where they come from. Each row links to the log of the same range. */
export function Breakdowns({ projectId, data, span }: Omit<PartProps, 'basis'>) {
  const { rows, partial } = data.sampled;
  const basis = partial ? `From the newest ${count(rows)} validations.` : undefined;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
      <FailingChecks projectId={projectId} data={data} span={span} basis={basis} />
      <Signals projectId={projectId} data={data} span={span} basis={basis} />
      <TopDomains projectId={projectId} data={data} span={span} basis={basis} />
    </div>
  );
}

interface LogLinkProps {
  projectId: string;
  search: Filters;
  title?: string | undefined;
  children: ReactNode;
}

function LogLink({ projectId, search, title, children }: LogLinkProps) {
  return (
    <Link
      to="/projects/$projectId/validations"
      params={{ projectId }}
      search={search}
      title={title}
      className="rounded hover:text-accent hover:underline"
    >
      {children}
    </Link>
  );
}

function FailingChecks({ projectId, data, span, basis }: PartProps) {
  const rows = data.failedChecks.map(({ check, count: value }) => ({
    key: check,
    value,
    name: (
      <LogLink projectId={projectId} search={{ check, last: span }}>
        {CHECKS[check].title}
      </LogLink>
    ),
  }));
  return (
    <Section title="Failing checks" lead={basis}>
      <BarList
        label="Failing checks"
        head={['Check', 'Failures']}
        rows={rows}
        of={data.sampled.rows}
        empty="No check has failed."
      />
    </Section>
  );
}

function Signals({ projectId, data, span, basis }: PartProps) {
  const rows = groupSignals(data.signals)
    .slice(0, ROWS)
    .map(({ signal, count: value }) => ({
      key: signal,
      value,
      name: (
        <LogLink projectId={projectId} search={{ signal, last: span }} title={signalMeaning(signal)}>
          <code className="font-mono text-[0.8333rem]">{signal}</code>
        </LogLink>
      ),
    }));
  return (
    <Section title="Signals" lead={basis}>
      <BarList
        label="Signals"
        head={['Signal', 'Count']}
        rows={rows}
        of={data.sampled.rows}
        empty="No signal was raised."
      />
    </Section>
  );
}

function TopDomains({ projectId, data, span, basis }: PartProps) {
  const rows = data.domains.slice(0, ROWS).map(({ domain, count: value, blocked }) => ({
    key: domain,
    value,
    blocked,
    name: (
      <LogLink projectId={projectId} search={{ domain, last: span }}>
        {domain}
        {blocked > 0 && <span className="sr-only">, {blocked} blocked</span>}
      </LogLink>
    ),
  }));
  return (
    <Section title="Top domains" lead={basis ?? 'Red is the share that was blocked.'}>
      <BarList
        label="Top domains"
        head={['Domain', 'Validations']}
        rows={rows}
        of={data.sampled.rows}
        empty="No domain yet."
      />
    </Section>
  );
}
