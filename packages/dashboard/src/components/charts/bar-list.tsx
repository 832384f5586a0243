import { type ReactNode, useState } from 'react';
import { Button } from '../button.tsx';
import { count, percent, shortCount } from '../format.ts';

interface BarRow {
  readonly key: string;
  readonly name: ReactNode;
  readonly value: number;
  /** The part of it that is drawn in red, and said in words unless `aside` is there. */
  readonly blocked?: number;
  /** Shown beside the name, such as its trend. */
  readonly aside?: ReactNode;
}

interface BarListProps {
  label: string;
  head: readonly [string, string];
  rows: readonly BarRow[];
  /** How many there are, if the rows are only the first of them. */
  found?: number;
  /** The number that counts as 100%. */
  of: number;
  empty: string;
}

const ROWS = 8;
/** Longer numbers would not fit. */
const SHORT_FROM = 100_000;

/** Ranked bars. They are a table already, so they need no separate table view. */
export function BarList({ label, head, rows: all, found = 0, of, empty }: BarListProps) {
  const [whole, setWhole] = useState(false);
  const rows = whole ? all : all.slice(0, ROWS);
  const max = Math.max(1, ...rows.map((row) => row.value));
  if (rows.length === 0) return <p className="py-6 text-center text-soft">{empty}</p>;
  return (
    <>
      <table className="w-full table-fixed text-[0.9rem]" aria-label={label}>
        <colgroup>
          <col />
          <col className="w-24" />
        </colgroup>
        <thead>
          <tr className="h-0 leading-none">
            <th scope="col" className="p-0">
              <span className="sr-only">{head[0]}</span>
            </th>
            <th scope="col" className="p-0">
              <span className="sr-only">{head[1]}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <td className="py-1 pr-3">
                <div className="flex items-end justify-between gap-2">
                  <div className="truncate">{row.name}</div>
                  {row.aside ??
                    (row.blocked ? (
                      <span className="num shrink-0 text-[0.8333rem] text-faint">
                        {count(row.blocked)} blocked
                      </span>
                    ) : null)}
                </div>
                <Bar share={row.value / max} blocked={(row.blocked ?? 0) / max} />
              </td>
              <td title={count(row.value)} className="num py-1 text-right align-top whitespace-nowrap">
                {row.value < SHORT_FROM ? count(row.value) : shortCount(row.value)}{' '}
                <span className="inline-block w-10 text-faint">{percent(row.value, of)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {all.length > rows.length && (
        <Button small variant="quiet" className="mt-1 -ml-2.5" onClick={() => setWhole(true)}>
          {found > all.length
            ? `Show the first ${count(all.length)} of ${count(found)}`
            : `Show all ${count(all.length)}`}
        </Button>
      )}
    </>
  );
}

function Bar({ share, blocked }: { share: number; blocked: number }) {
  return (
    <svg
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      aria-hidden="true"
      className="mt-1 h-1 w-full rounded-full"
    >
      <rect width="100" height="1" fill="var(--color-hover)" />
      <rect width={Math.max(share * 100, 0.8)} height="1" fill="var(--color-accent)" />
      {blocked > 0 && <rect width={Math.max(blocked * 100, 0.8)} height="1" fill="var(--color-block-fill)" />}
    </svg>
  );
}
