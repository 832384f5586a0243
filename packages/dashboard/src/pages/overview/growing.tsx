import { DAY_MS } from '@postern/contract';
import type { LinkedKind, LinkedThing } from '@postern/contract/dashboard';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { thingsQuery } from '../../api/place-queries.ts';
import { count } from '../../components/format.ts';
import { Section } from '../../components/page.tsx';
import { Cell, NarrowName, Table } from '../../components/table.tsx';
import { hasPage, ThingLink } from '../../components/thing-link.tsx';
import { KINDS } from '../things/read-things.ts';

const WEEK_MS = 7 * DAY_MS;
const WEEKS_BEFORE = 4;
/** Fewer people are no growth, and less than three times as many as usual is an ordinary week. */
const LEAST_PEOPLE = 5;
const TIMES_AS_MANY = 3;
/** A filter takes no more values. */
const COMPARED = 30;
const SHOWN = 8;

interface Grown extends LinkedThing {
  readonly kind: LinkedKind;
  /** The average of the weeks before. */
  readonly before: number;
}

/** What many more people came with this week than in the weeks before. In a project without such weeks, nothing. */
function useGrowingOf(projectId: string, kind: 'domain' | 'network') {
  const [now] = useState(() => Date.now());
  const week = useQuery(thingsQuery(projectId, kind, { from: now - WEEK_MS }));
  const rows = (week.data?.rows ?? [])
    .filter(({ name }) => kind === 'network' || hasPage(name))
    .slice(0, COMPARED);
  const names = rows.map(({ name }) => name).join(',');
  const earlier = useQuery({
    ...thingsQuery(projectId, kind, {
      from: now - (WEEKS_BEFORE + 1) * WEEK_MS,
      to: now - WEEK_MS,
      [KINDS[kind].filter]: names,
    }),
    enabled: names !== '',
  });
  const before = new Map(earlier.data?.rows.map(({ name, people }) => [name, people / WEEKS_BEFORE]));
  const isPending = week.isPending || (names !== '' && earlier.isPending);
  const grown = rows
    .map((row) => ({ ...row, kind, before: before.get(row.name) ?? 0 }))
    .filter((row) => row.people >= Math.max(LEAST_PEOPLE, TIMES_AS_MANY * row.before));
  return { isPending, grown: before.size === 0 ? [] : grown };
}

/** Domains and networks that bring far more people than they used to. */
export function useGrowing(projectId: string): { isPending: boolean; grown: readonly Grown[] } {
  const [domains, networks] = [useGrowingOf(projectId, 'domain'), useGrowingOf(projectId, 'network')];
  const grown = [...domains.grown, ...networks.grown]
    .toSorted((one, other) => other.people - other.before - (one.people - one.before))
    .slice(0, SHOWN);
  return { isPending: domains.isPending || networks.isPending, grown };
}

/** Who is quietly getting in. */
export function Growing({ projectId, grown }: { projectId: string; grown: readonly Grown[] }) {
  if (grown.length === 0) return null;
  return (
    <Section title="Growing" lead="People of this week, against an average week of the four before." flush>
      <Table label="Growing" head={['Came with', 'This week', 'A week before', 'Known bad', 'Blocked']} flows>
        {grown.map((row) => (
          <tr key={`${row.kind} ${row.name}`}>
            <Cell className="wrap-anywhere max-md:w-full">
              <ThingLink projectId={projectId} of={{ [row.kind]: row.name }} className="link">
                {row.title}
              </ThingLink>
            </Cell>
            {[
              ['This week', row.people],
              ['A week before', Math.round(row.before)],
              ['Known bad', row.bad],
              ['Blocked', row.blocked],
            ].map(([name, value]) => (
              <Cell key={name} className="num">
                <NarrowName>{String(name)}</NarrowName>
                {count(Number(value))}
              </Cell>
            ))}
          </tr>
        ))}
      </Table>
    </Section>
  );
}
