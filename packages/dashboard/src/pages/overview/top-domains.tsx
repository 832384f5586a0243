import { useState } from 'react';
import { BarList } from '../../components/charts/bar-list.tsx';
import { Choice } from '../../components/choice.tsx';
import { count } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { hasPage, ThingLink } from '../../components/thing-link.tsx';
import type { BreakdownsProps } from './overview-part.ts';

const ORDERS = { count: 'All', blocked: 'Blocked' };

/** The domains with the most validations, or with the most that were blocked. */
export function TopDomains({ projectId, data, days }: BreakdownsProps) {
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
      aside: blocked > 0 && (
        <span className="num shrink-0 text-[0.8333rem] text-faint">
          {byBlocked ? `of ${count(all)}` : `${count(blocked)} blocked`}
        </span>
      ),
    }));
  const exact = data.coverage.domainsExact;
  return (
    <Section
      title="Top domains"
      lead={`Red is the share that was blocked.${exact ? '' : ' There were too many domains to count each one, so these counts are estimates.'}`}
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
