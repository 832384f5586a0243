import type { ValidationPage, ValidationRow } from '@postern/contract/dashboard';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiUrl, type Params } from './client.ts';
import { sessionQuery } from './queries.ts';
import { isSessionEnded } from './session-ended.ts';

type Log = InfiniteData<ValidationPage, string | undefined>;

/** More rows than anyone scrolls through; older ones stay in the log. */
const MAX_LIVE_ROWS = 300;

/** How long to wait after the service refused the stream. */
const REOPEN_MS = 3_000;

interface LiveHandlers {
  readonly onRows: (rows: ValidationRow[]) => void;
  /** The newest row that the page has. The stream begins after it. */
  readonly after?: () => string | undefined;
  /** The stream is open again after an interruption. */
  readonly onReopened: () => void;
}

/** `skipping`: connected, but more rows came in than the stream carries. */
export type LiveState = 'connecting' | 'live' | 'skipping';

/** Opens a stream of the project's new rows while the tab is visible. */
export function useLiveStream(
  projectId: string,
  filters: Params,
  enabled: boolean,
  wanted: LiveHandlers,
  /** The stream is opened again when this changes. */
  askedAt = 0,
): LiveState {
  const [state, setState] = useState<LiveState>('connecting');
  const queryClient = useQueryClient();
  const handlers = useRef(wanted);
  handlers.current = wanted;
  const query = JSON.stringify(filters);
  // biome-ignore lint/correctness/useExhaustiveDependencies: askedAt only opens the stream again.
  useEffect(() => {
    if (!enabled) return;
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let opened = false;
    /** The browser opens a lost stream again, but not one that was refused: without a session, or by a proxy. */
    const openLater = () => {
      clearTimeout(timer);
      timer = setTimeout(open, REOPEN_MS);
    };
    const open = () => {
      if (source !== undefined || document.hidden) return;
      if (isSessionEnded()) return openLater();
      const filters = JSON.parse(query) as Params;
      source = new EventSource(
        apiUrl('GET /projects/:id/validations/live', {
          ...filters,
          id: projectId,
          after: handlers.current.after?.(),
        }),
      );
      source.onopen = () => {
        setState('live');
        if (opened) handlers.current.onReopened();
        opened = true;
      };
      source.onerror = () => {
        setState('connecting');
        // This says why: the session has ended, or the service does not answer.
        void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
        if (source?.readyState !== EventSource.CLOSED) return;
        source = undefined;
        openLater();
      };
      source.addEventListener('skipped', () => setState('skipping'));
      source.addEventListener('rows', ({ data }) => handlers.current.onRows(JSON.parse(String(data))));
    };
    const close = () => {
      clearTimeout(timer);
      source?.close();
      source = undefined;
      setState('connecting');
    };
    const onVisibility = () => (document.hidden ? close() : open());
    open();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      close();
    };
  }, [projectId, query, enabled, queryClient, askedAt]);
  return state;
}

/** Adds new rows to the log's first page as they come. */
export function useLiveLog(
  projectId: string,
  filters: Params,
  queryKey: readonly unknown[],
  enabled: boolean,
  askedAt: number,
): LiveState {
  const queryClient = useQueryClient();
  const key = JSON.stringify(queryKey);
  const meanwhile = useRef<{ key: string; rows: ValidationRow[] }>({ key, rows: [] });
  if (meanwhile.current.key !== key) meanwhile.current = { key, rows: [] };
  const isFetching = () => queryClient.getQueryState(queryKey)?.fetchStatus === 'fetching';
  const newest = () => queryClient.getQueryData<Log>(queryKey)?.pages[0]?.rows[0]?.id;
  const add = (rows: ValidationRow[]) => {
    queryClient.setQueryData<Log>(queryKey, (log) => {
      const first = log?.pages[0];
      if (log === undefined || first === undefined) return log;
      const ids = log.pages.flatMap((page) => page.rows.map(({ id }) => id));
      // Older rows than these come with “Show older”.
      const end = (log.pages.at(-1)?.next && ids.at(-1)) || '';
      const fresh = rows.filter(({ id }) => id > end && !ids.includes(id));
      if (fresh.length === 0) return log;
      const merged = [...fresh, ...first.rows].sort((one, other) => (one.id < other.id ? 1 : -1));
      // With only one page loaded, rows that fall out of it are still found by “Show older”.
      const page =
        log.pages.length === 1 && merged.length > MAX_LIVE_ROWS
          ? { rows: merged.slice(0, MAX_LIVE_ROWS), next: merged[MAX_LIVE_ROWS - 1]?.id ?? null }
          : { ...first, rows: merged };
      return { ...log, pages: [page, ...log.pages.slice(1)] };
    });
  };
  // An answer that is on its way was read before these rows came, and replaces the log without them.
  const onRows = (rows: ValidationRow[]) => {
    if (isFetching())
      meanwhile.current = { key, rows: [...rows, ...meanwhile.current.rows].slice(0, MAX_LIVE_ROWS) };
    add(rows);
  };
  useEffect(() => {
    const { rows } = meanwhile.current;
    if (rows.length === 0 || isFetching()) return;
    meanwhile.current = { key, rows: [] };
    add(rows);
  });
  // Without a row to begin after, the stream begins with the last seconds, so the rest is read again.
  const onReopened = () => {
    if (newest() === undefined) void queryClient.invalidateQueries({ queryKey });
  };
  return useLiveStream(projectId, filters, enabled, { onRows, after: newest, onReopened }, askedAt);
}
