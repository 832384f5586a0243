import { type ReactNode, useState } from 'react';
import { ChartColumn, Table2 } from '../../icons.ts';
import { Choice, iconLabel } from '../choice.tsx';
import { Section } from '../page.tsx';
import { type BarRow, StackedBars, type StackedBarsProps, Swatch } from './stacked-bars.tsx';

interface ChartFrameProps<Row extends BarRow> extends StackedBarsProps<Row> {
  title: string;
  lead?: ReactNode;
}

/** Bars, what their colours mean, and the same numbers as text: for screen readers, and for others when they switch to it. */
export function ChartFrame<Row extends BarRow>({ title, lead, ...bars }: ChartFrameProps<Row>) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  return (
    <Section
      title={title}
      lead={lead}
      actions={
        <div className="flex flex-wrap items-center gap-3 text-[0.8333rem] text-soft">
          {bars.layers.map(({ name, fill }) => (
            <span key={name} className="flex items-center gap-1.5">
              <Swatch fill={fill} /> {name}
            </span>
          ))}
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
      {view === 'chart' && <StackedBars {...bars} />}
      <FrameTable title={title} bars={bars} hidden={view === 'chart'} />
    </Section>
  );
}

interface FrameTableProps<Row extends BarRow> {
  title: string;
  bars: Pick<StackedBarsProps<Row>, 'rows' | 'layers' | 'nameOf'>;
  hidden: boolean;
}

function FrameTable<Row extends BarRow>({ title, bars, hidden }: FrameTableProps<Row>) {
  const rows = bars.rows.map((row) => [bars.nameOf(row), ...bars.layers.map(({ value }) => value(row))]);
  return (
    <section
      aria-label={`${title}, as a table`}
      tabIndex={hidden ? -1 : 0}
      className={hidden ? 'sr-only' : 'max-h-64 overflow-auto'}
    >
      <table className="num w-full text-left text-[0.8667rem]">
        <thead>
          <tr>
            {['Time', ...bars.layers.map(({ name }) => name)].map((cell) => (
              <th key={cell} scope="col" className="sticky top-0 bg-surface py-1 pr-4 font-medium text-soft">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
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
