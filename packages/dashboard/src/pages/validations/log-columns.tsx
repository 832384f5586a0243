import { LOG_COLUMNS, type LogColumn, type ValidationRow } from '@postern/contract/dashboard';
import type { ReactNode } from 'react';
import { Badge, RecommendationBadge } from '../../components/badge.tsx';
import { countryName } from '../../components/country-name.ts';
import { milliseconds } from '../../components/format.ts';
import { RuleLinks } from '../../components/rule-links.tsx';
import { Ago } from '../../components/time.tsx';
import { WhyBadges } from './why.tsx';

interface Column {
  readonly title: string;
  /** Its width, and from which width of the page on it is shown. */
  readonly className: string;
  readonly cell: (row: ValidationRow, projectId: string) => ReactNode;
}

/** What a column of the log shows. The address comes first and cannot be left out. */
export const COLUMNS: Readonly<Record<Exclude<LogColumn, 'address'>, Column>> = {
  answer: {
    title: 'Answer',
    className: 'w-22',
    cell: ({ recommendation }) => <RecommendationBadge value={recommendation} />,
  },
  why: {
    title: 'Why',
    className: 'hidden w-[28%] sm:table-cell',
    cell: (row) => (
      <span className="flex items-center gap-1 overflow-hidden *:min-w-0">
        <WhyBadges row={row} />
        {row.mode === 'test' && <Badge tone="accent">test key</Badge>}
      </span>
    ),
  },
  rules: {
    title: 'Rules',
    className: 'hidden w-36 sm:table-cell',
    cell: (row, projectId) => (
      <span className="flex gap-1 overflow-hidden">
        <RuleLinks projectId={projectId} ids={row.rules} />
        <RuleLinks projectId={projectId} ids={row.shadowRules} shadow />
      </span>
    ),
  },
  country: {
    title: 'Country',
    className: 'hidden w-16 sm:table-cell',
    cell: ({ country }) => country !== null && <span title={countryName(country)}>{country}</span>,
  },
  operator: {
    title: 'Operator',
    className: 'hidden w-36 sm:table-cell',
    cell: ({ operator, asn }) => operator ?? (asn === null ? '' : `AS${asn}`),
  },
  network: {
    title: 'Network',
    className: 'hidden w-36 sm:table-cell',
    cell: ({ maskedIp }) => <span className="num">{maskedIp}</span>,
  },
  devices: {
    title: 'Device’s inboxes',
    className: 'hidden w-20 text-right sm:table-cell',
    cell: ({ deviceInboxes }) => <span className="num">{deviceInboxes}</span>,
  },
  outcome: {
    title: 'Known',
    className: 'hidden w-18 sm:table-cell',
    cell: ({ outcome }) =>
      outcome !== null && <Badge tone={outcome === 'bad' ? 'flag' : 'allow'}>{outcome}</Badge>,
  },
  checkTime: {
    title: 'Checks took',
    className: 'hidden w-20 text-right sm:table-cell',
    cell: ({ latencyMs }) => <span className="num">{milliseconds(latencyMs)}</span>,
  },
  request: {
    title: 'Request',
    className: 'hidden w-36 sm:table-cell',
    cell: ({ requestId }) => <code className="font-mono text-[0.8rem]">{requestId}</code>,
  },
  when: {
    title: 'When',
    className: 'hidden w-22 text-right sm:table-cell',
    cell: ({ at }) => <Ago at={at} narrow />,
  },
};

export type ShownColumn = keyof typeof COLUMNS;

const STANDARD: readonly ShownColumn[] = ['answer', 'why', 'rules', 'country', 'outcome', 'when'];
const KEY = 'postern-log-columns';

const isColumn = (name: unknown): name is ShownColumn =>
  typeof name === 'string' && Object.hasOwn(COLUMNS, name);

/** In the order of the table, whatever the order in which they were chosen. */
const inOrder = (names: readonly ShownColumn[]) =>
  (Object.keys(LOG_COLUMNS) as LogColumn[]).filter(isColumn).filter((name) => names.includes(name));

export function readColumns(): readonly ShownColumn[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(stored) ? inOrder(stored.filter(isColumn)) : STANDARD;
  } catch {
    return STANDARD;
  }
}

export function storeColumns(names: readonly ShownColumn[]): readonly ShownColumn[] {
  const ordered = inOrder(names);
  try {
    localStorage.setItem(KEY, JSON.stringify(ordered));
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  return ordered;
}
