import type { RuleDetail } from '@postern/contract/dashboard';
import type { ReactNode } from 'react';
import { count, percent, plural } from '../../components/format.ts';
import { Ago } from '../../components/time.tsx';
import { BadShare } from './bad-share.tsx';

/** How the rule did in the chosen time. */
export function RuleResults({ detail: { figures, baseRate } }: { detail: RuleDetail }) {
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
