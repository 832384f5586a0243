import { type DragEvent, useState } from 'react';

export interface RowDrag {
  /** Where the dragged rule would land, seen from this row. */
  readonly lands: 'before' | 'after' | undefined;
  readonly dragged: boolean;
  readonly onStart: (event: DragEvent) => void;
  readonly onOver: (event: DragEvent) => void;
  readonly onDrop: (event: DragEvent) => void;
  readonly onEnd: () => void;
}

interface Drag {
  readonly id: string;
  readonly from: number;
  /** The place between the rows: 0 is before the first. */
  readonly gap: number | undefined;
}

/** Dragging a row by its handle. Nothing but one of these rows can be dropped. */
export function useRowDrag(move: (id: string, place: number) => void) {
  const [drag, setDrag] = useState<Drag | undefined>();
  const end = () => setDrag(undefined);
  const of = (id: string, place: number): RowDrag => ({
    dragged: drag?.id === id,
    lands: drag?.gap === place ? 'before' : drag?.gap === place + 1 ? 'after' : undefined,
    onStart: (event) => {
      event.dataTransfer.effectAllowed = 'move';
      // Firefox drags nothing without data.
      event.dataTransfer.setData('text/plain', id);
      setDrag({ id, from: place, gap: undefined });
    },
    onOver: (event) => {
      if (drag === undefined) return;
      event.preventDefault();
      const { top, height } = event.currentTarget.getBoundingClientRect();
      const gap = event.clientY < top + height / 2 ? place : place + 1;
      if (gap !== drag.gap) setDrag({ ...drag, gap });
    },
    onDrop: (event) => {
      event.preventDefault();
      if (drag?.gap !== undefined) move(drag.id, drag.gap > drag.from ? drag.gap - 1 : drag.gap);
      end();
    },
    onEnd: end,
  });
  return { of };
}
