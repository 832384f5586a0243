import type { ReviewDecisionRequest, ReviewRow } from '@postern/contract/dashboard';
import { useEffect, useRef, useState } from 'react';
import type { Params } from '../../api/client.ts';
import { Notice } from '../../components/notice.tsx';
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
  const { projectId, mayDecide, onHelp, onDecided, onUndo, openFirst } = props;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [openId, setOpenId] = useState(openFirst ?? props.rows[0]?.id);
  /** By sign-up: a reason never moves to another one. */
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({});
  const list = useRef<HTMLOListElement>(null);
  const focusWanted = useRef(false);
  const decide = useDecide(projectId, onDecided);

  // If another member decides the open row, it stays: keys and words must not reach a sign-up that nobody looked at.
  const kept = useRef<{ readonly row: ReviewRow; readonly at: number }>(undefined);
  const waits = props.rows.some(({ id }) => id === openId);
  const gone = waits || kept.current?.row.id !== openId ? undefined : kept.current;
  const rows =
    gone === undefined
      ? props.rows
      : [...props.rows.slice(0, gone.at), gone.row, ...props.rows.slice(gone.at)];
  const at = rows.findIndex(({ id }) => id === openId);
  const current = rows[at];
  if (current !== undefined) kept.current = { row: current, at };
  else if (openId === undefined && rows[0] !== undefined) setOpenId(rows[0].id);

  useEffect(() => {
    if (!focusWanted.current || current === undefined) return;
    focusWanted.current = false;
    list.current?.querySelector<HTMLElement>(`[data-row="${current.id}"]`)?.focus();
  }, [current]);

  const open = (id: string | undefined) => {
    // Not only in the address bar, which follows too late for two keys in a row.
    setOpenId(id);
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
    const reason = reasons[row.id]?.trim() ?? '';
    open((rows[index + 1] ?? rows[index - 1])?.id);
    setSelected(new Set([...selected].filter((id) => id !== row.id)));
    focusWanted.current = true;
    decide.mutate({ row, decision, ...(reason !== '' && { reason }) });
  };
  const decideCurrent = (decision: ReviewDecisionRequest['decision']) => () => {
    if (mayDecide && waits && current !== undefined) settle(current, decision);
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
      if (mayDecide && waits && current !== undefined) toggle(current.id);
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
      {current === undefined && openId !== undefined && (
        <Notice kind="note">The sign-up of this address is not in this queue. Choose another one.</Notice>
      )}
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
            gone={row.id === gone?.row.id}
            selected={selected.has(row.id)}
            onSelect={() => toggle(row.id)}
            mayDecide={mayDecide}
            reason={reasons[row.id] ?? ''}
            onReason={(reason) => setReasons({ ...reasons, [row.id]: reason })}
            onOpen={() => open(row.id)}
            onDecide={(decision) => settle(row, decision)}
          />
        ))}
      </ol>
    </>
  );
}

const FIELDS = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]';
/** Not `[role=dialog]`: a toast has that role too. */
const DIALOGS = '.modal, .drawer';

/** Calls the handler of a pressed key, unless the person is typing or a dialog is open. */
export function useKeys(handlers: Readonly<Record<string, () => unknown>>): void {
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
