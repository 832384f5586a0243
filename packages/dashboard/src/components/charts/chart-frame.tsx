import { type ReactNode, useState } from 'react';
import { ChartColumn, Table2 } from '../../icons.ts';
import { Choice, iconLabel } from '../choice.tsx';
import { Section } from '../page.tsx';

interface ChartFrameProps {
  title: string;
  lead?: ReactNode;
  legend?: ReactNode;
  /** The same numbers as text: always there for screen readers, for others when they switch to it. */
  table: { head: readonly string[]; rows: readonly (readonly (string | number)[])[] };
  children: ReactNode;
}

export function ChartFrame({ title, lead, legend, table, children }: ChartFrameProps) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  return (
    <Section
      title={title}
      lead={lead}
      actions={
        <div className="flex flex-wrap items-center gap-3">
          {legend}
          <Choice
            label={`Show “${title}” as`}
            hideLabel
            value={view}
            options={{ chart: iconLabel(ChartColumn, 'Chart'), table: iconLabel(Table2, 'Table') }}
            onChange={setView}
          />
        </div>
      }
    >
      {view === 'chart' && children}
      <FrameTable title={title} table={table} hidden={view === 'chart'} />
    </Section>
  );
}

function FrameTable({
  title,
  table,
  hidden,
}: Pick<ChartFrameProps, 'title' | 'table'> & { hidden: boolean }) {
  return (
    <section
      aria-label={`${title}, as a table`}
      tabIndex={hidden ? -1 : 0}
      className={hidden ? 'sr-only' : 'max-h-64 overflow-auto'}
    >
      <table className="num w-full text-left text-[0.8667rem]">
        <thead>
          <tr>
            {table.head.map((cell) => (
              <th key={cell} scope="col" className="sticky top-0 bg-surface py-1 pr-4 font-medium text-soft">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows do not move, and an hour occurs twice when clocks go back.
            <tr key={index} className="border-t border-line">
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
                <td key={column} className="py-1 pr-4 whitespace-nowrap">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
