import type { ValidationRow } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { Badge, RecommendationBadge } from '../../components/badge.tsx';
import { CHECKS } from '../../components/check-names.ts';
import { milliseconds } from '../../components/format.ts';
import { RuleLinks } from '../../components/rule-links.tsx';
import { Ago } from '../../components/time.tsx';
import { type Filters, rangeOf } from './filters.ts';
import { RowActions } from './row-actions.tsx';

interface ValidationTableProps {
  rows: readonly ValidationRow[];
  projectId: string;
  filters: Filters;
}

const HEAD = 'px-3 py-2 font-medium whitespace-nowrap first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5';
const CELL = 'px-3 py-2.5 align-middle first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5';

export function ValidationTable({ rows, projectId, filters }: ValidationTableProps) {
  return (
    <table className="w-full table-fixed border-collapse text-left text-[0.9rem]">
      <caption className="sr-only">Validations, newest first</caption>
      <thead>
        <tr className="border-b border-line bg-sunken text-[0.8rem] text-soft">
          <th scope="col" className={`${HEAD} rounded-tl-xl`}>
            Address
          </th>
          <th scope="col" className={`${HEAD} w-24`}>
            Answer
          </th>
          <th scope="col" className={`${HEAD} hidden w-[34%] sm:table-cell`}>
            Why
          </th>
          <th scope="col" className={`${HEAD} hidden w-20 text-right lg:table-cell`}>
            Check time
          </th>
          <th scope="col" className={`${HEAD} hidden text-right sm:table-cell sm:w-28`}>
            When
          </th>
          <th scope="col" className={`${HEAD} w-12 rounded-tr-xl`}>
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} projectId={projectId} filters={filters} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, projectId, filters }: { row: ValidationRow } & Omit<ValidationTableProps, 'rows'>) {
  return (
    <tr className="relative border-b border-line last:border-0 hover:bg-hover">
      <td className={CELL}>
        <Link
          to="/projects/$projectId/validations"
          params={{ projectId }}
          search={{ ...filters, open: row.id }}
          state={{ openedHere: true }}
          resetScroll={false}
          className="block truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {row.maskedAddress}
        </Link>
        <span className="block text-[0.8rem] text-faint sm:hidden">
          <Ago at={row.at} narrow /> ·{' '}
          {row.failed.map((name) => CHECKS[name].title).join(', ') || 'all checks passed'}
        </span>
      </td>
      <td className={CELL}>
        <RecommendationBadge value={row.recommendation} />
      </td>
      <td className={`${CELL} hidden sm:table-cell`}>
        <span className="flex flex-wrap gap-1">
          {row.failed.map((name) => (
            <Badge key={name}>{CHECKS[name].title}</Badge>
          ))}
          <RuleLinks projectId={projectId} ids={row.rules} />
          <RuleLinks projectId={projectId} ids={row.shadowRules} shadow />
          {row.mode === 'test' && <Badge tone="accent">test key</Badge>}
        </span>
      </td>
      <td className={`${CELL} num hidden text-right whitespace-nowrap text-soft lg:table-cell`}>
        {milliseconds(row.latencyMs)}
      </td>
      <td className={`${CELL} hidden text-right text-soft sm:table-cell`}>
        <Ago at={row.at} narrow />
      </td>
      <td className={`${CELL} !px-1 text-right`}>
        <RowActions projectId={projectId} row={row} range={rangeOf(filters)} />
      </td>
    </tr>
  );
}
