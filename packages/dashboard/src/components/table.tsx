import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Ago } from './time.tsx';

interface TableProps {
  label: string;
  head: readonly ReactNode[];
  children: ReactNode;
  className?: string;
  /** Columns that are hidden on a narrow page. Their cells use WIDE_CELL. */
  wideColumns?: readonly number[];
  /** On a narrow page the cells of a row wrap into lines instead of scrolling sideways. */
  flows?: boolean;
}

const FLOWING_TABLE = 'max-md:block';
const FLOWING_BODY =
  'max-md:block max-md:[&>tr]:flex max-md:[&>tr]:flex-wrap max-md:[&>tr]:items-center max-md:[&>tr]:gap-x-3 max-md:[&>tr]:px-4 max-md:[&>tr]:py-1.5 max-md:[&>tr>td]:max-w-full max-md:[&>tr>td]:!px-0 max-md:[&>tr>td]:py-1 max-md:[&>tr>td:last-child]:ml-auto max-md:[&>tr>td:empty]:hidden';

export const WIDE_CELL = 'hidden md:table-cell';

/** A table that scrolls inside its own box on a narrow page. */
export function Table({ label, head, children, className, wideColumns = [], flows = false }: TableProps) {
  return (
    // A group and not a region: the section around it is a region, often of the same name.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <div role="group" tabIndex={0} aria-label={label} className="relative overflow-x-auto rounded-b-xl">
      <table
        className={clsx('w-full border-collapse text-left text-[0.9rem]', flows && FLOWING_TABLE, className)}
      >
        <thead className={clsx(flows && 'max-md:sr-only')}>
          <tr className="border-y border-line bg-sunken text-[0.8rem] text-soft">
            {head.map((cell, index) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
                key={index}
                scope="col"
                className={clsx(
                  'px-3 py-2 font-medium whitespace-nowrap first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5',
                  wideColumns.includes(index) && WIDE_CELL,
                )}
              >
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          className={clsx(
            '[&>tr]:border-b [&>tr]:border-line [&>tr:last-child]:border-0',
            flows && FLOWING_BODY,
          )}
        >
          {children}
        </tbody>
      </table>
    </div>
  );
}

export function Cell({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <td
      className={clsx('px-3 py-2.5 align-middle first:pl-4 last:pr-4 sm:first:pl-5 sm:last:pr-5', className)}
    >
      {children}
    </td>
  );
}

interface AgoCellProps {
  /** What happened then, where the cells of a row wrap and the head is not shown. */
  name?: string;
  at: number | null | undefined;
  /** Shown without a time. */
  none?: string;
  narrow?: boolean;
  className?: string;
}

/** A cell with a time. */
export function AgoCell({ name, at, none = 'never', narrow = false, className }: AgoCellProps) {
  return (
    <Cell className={clsx('text-soft', className)}>
      {name !== undefined && <NarrowName>{name}</NarrowName>}
      {at === null || at === undefined ? none : <Ago at={at} narrow={narrow} />}
    </Cell>
  );
}

/** Names a cell where the cells of a row wrap and the head is not shown. */
export function NarrowName({ children }: { children: string }) {
  return <span className="md:hidden">{children} </span>;
}

/** The heading of the column of buttons, only for screen readers. */
export function ActionsHead() {
  return <span className="sr-only">Actions</span>;
}
