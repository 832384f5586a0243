import type { Overview } from '@postern/contract/dashboard';
import type { ReactNode } from 'react';
import { Section } from '../../components/page.tsx';
import { BarList } from './bar-list.tsx';
import { LogLink } from './log-link.tsx';
import { detailed, type OverviewPartProps } from './overview-part.ts';

const ROWS = 8;

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** Unknown codes, such as XX, are shown unchanged. */
function countryName(code: string): string {
  try {
    return countryNames.of(code) ?? code;
  } catch {
    return code;
  }
}

const CLASS_NAMES: Readonly<Record<Overview['domainClasses'][number]['domainClass'], string>> = {
  free: 'Mail providers',
  business: 'Companies and private domains',
  relay: 'Privacy relays',
  disposable: 'Disposable',
};

interface ShareListProps {
  title: string;
  lead: string;
  column: string;
  data: Overview;
  rows: readonly { key: string; name: ReactNode; count: number; blocked: number }[];
  empty: string;
}

function ShareList({ title, lead, column, data, rows, empty }: ShareListProps) {
  return (
    <Section title={title} lead={lead}>
      <BarList
        label={title}
        head={[column, 'Validations']}
        rows={rows.slice(0, ROWS).map(({ count, ...row }) => ({ ...row, value: count }))}
        of={detailed(data)}
        empty={empty}
      />
    </Section>
  );
}

/** Countries and networks of the clients, and kinds of domains. Red is the share that was blocked. */
export function Origins({ projectId, data }: OverviewPartProps) {
  const link = (search: { country: string } | { asn: string }, text: string) => (
    <LogLink projectId={projectId} data={data} search={search}>
      {text}
    </LogLink>
  );
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
      <ShareList
        title="Countries"
        lead="By client IP address."
        column="Country"
        data={data}
        rows={data.countries.map((row) => ({
          ...row,
          key: row.country,
          name: link({ country: row.country }, countryName(row.country)),
        }))}
        empty="No countries known."
      />
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
          name: link({ asn: String(row.asn) }, `${row.name} (AS${row.asn})`),
        }))}
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
          name: CLASS_NAMES[row.domainClass],
        }))}
        empty="No domains yet."
      />
    </div>
  );
}
