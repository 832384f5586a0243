import type { Overview } from '@postern/contract/dashboard';
import type { ReactNode } from 'react';
import { BarList } from '../../components/charts/bar-list.tsx';
import { countryName } from '../../components/country-name.ts';
import { DOMAIN_CLASS_NAMES } from '../../components/domain-class-names.ts';
import { Section } from '../../components/page.tsx';
import { ThingLink } from '../../components/thing-link.tsx';
import { LogLink } from './log-link.tsx';
import type { BreakdownsProps } from './overview-part.ts';

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

/** Countries and networks of the clients, and kinds of domains. Red is the share that was blocked. */
export function Origins({ projectId, data, days }: BreakdownsProps) {
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
