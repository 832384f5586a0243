import type { ValidationRow } from '@postern/contract/dashboard';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { SelectAll, SelectBox, toggled } from '../../components/check-box.tsx';
import { Ago } from '../../components/time.tsx';
import { type Filters, rangeOf } from './filters.ts';
import { COLUMNS, type ShownColumn } from './log-columns.tsx';
import { RowActions } from './row-actions.tsx';
import { useVisibleRows } from './use-visible-rows.ts';
import { useWhyText } from './why.tsx';

export interface ValidationTableProps {
  rows: readonly ValidationRow[];
  columns: readonly ShownColumn[];
  projectId: string;
  filters: Filters;
  /** The IDs of selected rows. Without it, rows have no check box. */
  selection?: { readonly ids: ReadonlySet<string>; readonly onSelect: (ids: readonly string[]) => void };
}

const HEAD = 'px-3 py-1.5 font-medium whitespace-nowrap first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5';
const CELL =
  'px-3 py-2 align-middle first:pl-4 last:pr-4 sm:h-7 sm:overflow-hidden sm:py-0 sm:text-ellipsis sm:whitespace-nowrap sm:first:pl-5 sm:last:pr-5';

/** Only the rows near the window are in the page: a log of thousands of rows stays quick. */
export function ValidationTable({ rows, ...shown }: ValidationTableProps) {
  const { columns, selection } = shown;
  const table = useRef<HTMLTableElement>(null);
  const { from, to, above, below } = useVisibleRows(table, rows.length);
  const width = columns.length + 2 + (selection === undefined ? 0 : 1);
  const live = rows.flatMap(({ id, mode }) => (mode === 'live' ? [id] : []));
  return (
    <table
      ref={table}
      aria-rowcount={rows.length + 1}
      className="w-full table-fixed border-collapse text-left text-[0.8667rem]"
    >
      <caption className="sr-only">Validations, newest first</caption>
      <thead>
        <tr className="border-b border-line bg-sunken text-[0.8rem] text-soft">
          {selection !== undefined && (
            <th scope="col" className={`${HEAD} w-10 !pr-0`}>
              <SelectAll names={live} selected={selection.ids} onSelect={selection.onSelect} />
            </th>
          )}
          <th scope="col" className={`${HEAD} rounded-tl-xl`}>
            Address
          </th>
          {columns.map((name) => (
            <th key={name} scope="col" className={`${HEAD} ${COLUMNS[name].className}`}>
              {COLUMNS[name].title}
            </th>
          ))}
          <th scope="col" className={`${HEAD} w-12 rounded-tr-xl`}>
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        <Space height={above} columns={width} />
        {rows.slice(from, to).map((row, index) => (
          <Row key={row.id} row={row} number={from + index + 2} {...shown} />
        ))}
        <Space height={below} columns={width} />
      </tbody>
    </table>
  );
}

/** Stands for rows that are not in the page. */
function Space({ height, columns }: { height: number; columns: number }) {
  if (height === 0) return null;
  return (
    <tr>
      <td colSpan={columns} height={height} />
    </tr>
  );
}

interface RowProps extends Omit<ValidationTableProps, 'rows'> {
  row: ValidationRow;
  number: number;
}

function Row({ row, number, columns, projectId, filters, selection }: RowProps) {
  const why = useWhyText(row);
  return (
    <tr
      data-row
      aria-rowindex={number}
      className="relative border-b border-line last:border-0 hover:bg-hover"
    >
      {selection !== undefined && (
        <td className={`${CELL} !pr-0`}>
          <SelectBox
            label={`Select ${row.maskedAddress}`}
            disabled={row.mode === 'test'}
            checked={selection.ids.has(row.id)}
            onChange={(on) => selection.onSelect(toggled(selection.ids, row.id, on))}
          />
        </td>
      )}
      <td className={CELL}>
        <Link
          to="/projects/$projectId/validations"
          params={{ projectId }}
          search={{ ...filters, open: row.id }}
          state={{ openedHere: true }}
          resetScroll={false}
          title={why}
          className="block truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {row.maskedAddress}
        </Link>
        <span className="block text-[0.8rem] text-faint sm:hidden">
          <Ago at={row.at} narrow /> · {why}
        </span>
      </td>
      {columns.map((name) => (
        <td key={name} className={`${CELL} ${COLUMNS[name].className} text-soft`}>
          {COLUMNS[name].cell(row, projectId)}
        </td>
      ))}
      <td className={`${CELL} !px-1 text-right`}>
        <RowActions projectId={projectId} row={row} range={rangeOf(filters)} />
      </td>
    </tr>
  );
}
