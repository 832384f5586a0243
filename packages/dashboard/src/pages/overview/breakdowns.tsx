import type { Overview } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { BarList } from '../../components/charts/bar-list.tsx';
import { changeText } from '../../components/charts/change.tsx';
import { CHECKS, signalMeaning } from '../../components/check-names.ts';
import { Choice } from '../../components/choice.tsx';
import { countryName } from '../../components/country-name.ts';
import { DOMAIN_CLASS_NAMES } from '../../components/domain-class-names.ts';
import { count } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { hasPage, ThingLink } from '../../components/thing-link.tsx';
import type { Days } from '../../components/time-range.ts';
import type { Filters } from '../validations/filters.ts';
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

function FailingChecks({ projectId, data }: Omit<BreakdownsProps, 'days'>) {
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

function Signals({ projectId, data }: Omit<BreakdownsProps, 'days'>) {
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

const ORDERS = { count: 'All', blocked: 'Blocked' };

/** The domains with the most validations, or with the most that were blocked. */
function TopDomains({ projectId, data, days }: BreakdownsProps) {
  const [order, setOrder] = useState<'count' | 'blocked'>('count');
  const byBlocked = order === 'blocked';
  const rows = data.domains
    .filter(({ blocked }) => !byBlocked || blocked > 0)
    .sort((one, other) => other[order] - one[order])
    .map(({ domain, readable, count: all, blocked }) => ({
      key: domain,
      value: byBlocked ? blocked : all,
      blocked,
      name: hasPage(domain) ? (
        <ThingLink projectId={projectId} of={{ domain }} range={{ days }}>
          <span title={domain}>{readable}</span>
        </ThingLink>
      ) : (
        domain
      ),
      ...(byBlocked && {
        aside: <span className="num shrink-0 text-[0.8333rem] text-faint">of {count(all)}</span>,
      }),
    }));
  const exact = data.coverage.domainsExact;
  return (
    <Section
      title="Top domains"
      lead={
        exact ? undefined : 'There were too many domains to count each one, so these counts are estimates.'
      }
      actions={<Choice label="Domains by" hideLabel value={order} options={ORDERS} onChange={setOrder} />}
    >
      <BarList
        label="Top domains"
        head={['Domain', byBlocked ? 'Blocked' : 'Validations']}
        rows={rows}
        found={byBlocked ? 0 : data.found.domains}
        of={byBlocked ? data.totals.block : data.totals.validations}
        empty={byBlocked ? 'None was blocked.' : 'No domains yet.'}
      />
    </Section>
  );
}

interface ShareListProps {
  title: string;
  lead: string;
  column: string;
  data: Overview;
  rows: readonly { key: string; name: ReactNode; count: number; blocked: number }[];
  found?: number;
  empty: string;
}

function ShareList({ title, lead, column, data, rows, found = 0, empty }: ShareListProps) {
  return (
    <Section title={title} lead={lead}>
      <BarList
        label={title}
        head={[column, 'Validations']}
        rows={rows.map(({ count, ...row }) => ({ ...row, value: count }))}
        found={found}
        of={data.totals.validations}
        empty={empty}
      />
    </Section>
  );
}

/** Countries and networks of the clients, and kinds of domains. */
function Origins({ projectId, data, days }: BreakdownsProps) {
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
      <Countries projectId={projectId} data={data} days={days} />
      <ShareList
        title="Networks"
        lead={
          data.coverage.networksExact
            ? 'The operators of the clients’ networks.'
            : 'There were too many networks to count each one, so these counts are estimates.'
        }
        column="Network"
        data={data}
        rows={data.networks.map((row) => ({
          ...row,
          key: String(row.asn),
          name: (
            <ThingLink projectId={projectId} of={{ asn: String(row.asn) }} range={{ days }}>
              <span title={`${row.name} (AS${row.asn})`}>
                {row.name} (AS{row.asn})
              </span>
            </ThingLink>
          ),
        }))}
        found={data.found.networks}
        empty="No networks known."
      />
      <ShareList
        title="Domain types"
        lead="What kind of domain the addresses have."
        column="Type"
        data={data}
        rows={data.domainClasses.map((row) => ({
          ...row,
          key: row.domainClass,
          name: DOMAIN_CLASS_NAMES[row.domainClass],
        }))}
        empty="No domains yet."
      />
    </div>
  );
}

function Countries({ projectId, data }: BreakdownsProps) {
  return (
    <ShareList
      title="Countries"
      lead="By client IP address."
      column="Country"
      data={data}
      rows={data.countries.map(({ country, count, blocked }) => ({
        key: country,
        count,
        blocked,
        name: (
          <LogLink projectId={projectId} data={data} search={{ country }}>
            {countryName(country)}
          </LogLink>
        ),
      }))}
      empty="No countries known."
    />
  );
}

interface LogLinkProps {
  projectId: string;
  /** The log opens with the same time, so that it shows the rows that were counted. */
  data: Pick<Overview, 'from' | 'to'>;
  search: Filters;
  title?: string | undefined;
  children: ReactNode;
}

function LogLink({ projectId, data: { from, to }, search, title, children }: LogLinkProps) {
  return (
    <Link
      to="/projects/$projectId/validations"
      params={{ projectId }}
      search={{ ...search, mode: 'live', from, to }}
      title={title}
      className="rounded hover:text-accent hover:underline"
    >
      {children}
    </Link>
  );
}

interface BreakdownsProps {
  projectId: string;
  data: Overview;
  /** The days that the overview shows. Other pages open with the same. */
  days: Days;
}
