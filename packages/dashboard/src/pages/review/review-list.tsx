import type { ReviewDecisionRequest, ReviewRow } from '@postern/contract/dashboard';
import { useEffect, useRef, useState } from 'react';
import type { Params } from '../../api/client.ts';
import type { Decided } from './after-decision.tsx';
import { ReviewItem } from './review-item.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useDecide } from './use-decide.ts';

interface ReviewListProps {
  projectId: string;
  query: Params;
  rows: readonly ReviewRow[];
  /** How many wait, shown or not. */
  waiting: number;
  /** The sign-up that the address bar names. */
  openFirst: string | undefined;
  onOpen: (id: string | undefined) => void;
  summary: string;
  mayDecide: boolean;
  onHelp: () => void;
  onDecided: (decided: Decided) => void;
  onUndo: () => void;
}

/** The queue. One row is open: its evidence is beside the queue, or in it where the window is narrow. Keys move or decide. */
export function ReviewList(props: ReviewListProps) {
  const { projectId, rows, mayDecide, onHelp, onDecided, onUndo, openFirst } = props;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [openId, setOpenId] = useState(openFirst);
  const [reason, setReason] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const focusWanted = useRef(false);
  const decide = useDecide(projectId, onDecided);

  // If another member decided the open row, its place in the list is lost, so start at the top.
  const found = rows.findIndex(({ id }) => id === openId);
  const at = found < 0 ? 0 : found;
  const current = rows[at];

  useEffect(() => {
    if (!focusWanted.current || current === undefined) return;
    focusWanted.current = false;
    list.current?.querySelector<HTMLElement>(`[data-row="${current.id}"]`)?.focus();
  }, [current]);

  const open = (id: string | undefined) => {
    // Not only in the address bar, which follows too late for two keys in a row.
    setOpenId(id);
    setReason('');
    props.onOpen(id);
  };
  const move = (to: number) => {
    const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (next === undefined) return;
    focusWanted.current = true;
    open(next.id);
    list.current?.querySelector<HTMLElement>(`[data-row="${next.id}"]`)?.focus();
  };
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  const settle = (row: ReviewRow, decision: ReviewDecisionRequest['decision']) => {
    const index = rows.indexOf(row);
    open((rows[index + 1] ?? rows[index - 1])?.id);
    focusWanted.current = true;
    decide.mutate({ row, decision, ...(reason.trim() !== '' && { reason: reason.trim() }) });
  };
  const decideCurrent = (decision: ReviewDecisionRequest['decision']) => () => {
    if (mayDecide && current !== undefined) settle(current, decision);
  };
  useKeys({
    j: () => move(at + 1),
    k: () => move(at - 1),
    ArrowDown: () => move(at + 1),
    ArrowUp: () => move(at - 1),
    a: decideCurrent('good'),
    r: decideCurrent('bad'),
    p: decideCurrent('passed'),
    // The answer to the last decision says how it is taken back.
    u: () => !decide.isPending && onUndo(),
    x: () => {
      if (mayDecide && current !== undefined) toggle(current.id);
    },
    '?': onHelp,
  });

  return (
    <>
      <SelectionBar
        projectId={projectId}
        query={props.query}
        summary={props.summary}
        shown={rows.map(({ id }) => id)}
        open={props.waiting}
        selected={selected}
        mayDecide={mayDecide}
        onSelect={(ids) => setSelected(new Set(ids))}
      />
      <ol
        ref={list}
        className="wide:grid wide:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
        style={{ gridTemplateRows: `repeat(${rows.length}, auto) 1fr` }}
      >
        {rows.map((row) => (
          <ReviewItem
            key={row.id}
            projectId={projectId}
            row={row}
            open={row.id === current?.id}
            selected={selected.has(row.id)}
            onSelect={() => toggle(row.id)}
            mayDecide={mayDecide}
            reason={reason}
            onReason={setReason}
            onOpen={() => open(row.id)}
            onDecide={(decision) => settle(row, decision)}
          />
        ))}
      </ol>
    </>
  );
}

const FIELDS = 'input:not([type=radio]), textarea, select, [contenteditable]';
/** Not `[role=dialog]`: a toast has that role too. */
const DIALOGS = '.modal, .drawer';

/** Calls the handler of a pressed key, unless the person is typing or a dialog is open. */
function useKeys(handlers: Readonly<Record<string, () => unknown>>): void {
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.repeat) return;
      const at = event.target instanceof Element ? event.target : document.body;
      // Elsewhere the arrows scroll the page.
      const scrolls = event.key.startsWith('Arrow') && !at.matches('[data-row]');
      if (scrolls || at.closest(FIELDS) !== null) return;
      if (document.querySelector(DIALOGS) !== null) return;
      const handler = latest.current[event.key];
      if (handler === undefined) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
