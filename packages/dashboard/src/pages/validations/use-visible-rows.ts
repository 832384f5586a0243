import { type RefObject, useLayoutEffect, useState } from 'react';

/** Fewer rows are all in the page, so that the browser’s search finds them. */
const ALL_UP_TO = 150;
/** Rows above and below the window that are in the page too. */
const MARGIN = 30;
/** The part of a new position that is noticed, in rows. */
const STEP = 10;

interface VisibleRows {
  /** The rows that are in the page: from this index, up to that one. */
  readonly from: number;
  readonly to: number;
  /** The height of the rows that are not, in pixels. */
  readonly above: number;
  readonly below: number;
}

/** Which rows of a table are near the window. All rows have the same height; it is measured. */
export function useVisibleRows(table: RefObject<HTMLTableElement | null>, count: number): VisibleRows {
  const [view, setView] = useState<View>({ first: 0, shown: 60, height: 0 });
  useLayoutEffect(() => {
    if (count <= ALL_UP_TO) return;
    const measure = () => {
      const body = table.current?.tBodies[0];
      const height = body?.querySelector('tr[data-row]')?.getBoundingClientRect().height ?? 0;
      if (body === undefined || height === 0) return;
      const next = viewOf(-body.getBoundingClientRect().top, height, window.innerHeight);
      setView((old) =>
        old.first === next.first && old.shown === next.shown && old.height === height ? old : next,
      );
    };
    measure();
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [table, count]);
  return rowsIn(view, count);
}

interface View {
  /** The first row in the window, rounded down, and how many fit into it. */
  readonly first: number;
  readonly shown: number;
  /** The height of a row. */
  readonly height: number;
}

export function viewOf(scrolledBy: number, height: number, windowHeight: number): View {
  const first = Math.floor(Math.max(0, scrolledBy) / height / STEP) * STEP;
  return { first, shown: Math.ceil(windowHeight / height) + STEP, height };
}

export function rowsIn(view: View, count: number): VisibleRows {
  if (count <= ALL_UP_TO) return { from: 0, to: count, above: 0, below: 0 };
  const from = Math.max(0, Math.min(view.first, count) - MARGIN);
  const to = Math.min(count, view.first + view.shown + MARGIN);
  return { from, to, above: from * view.height, below: (count - to) * view.height };
}
