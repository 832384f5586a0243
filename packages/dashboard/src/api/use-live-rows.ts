import type { ValidationPage, ValidationRow } from '@postern/contract/dashboard';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiPath, type Params } from './client.ts';

type Log = InfiniteData<ValidationPage, string | undefined>;

/** More rows than anyone scrolls through; older ones stay in the log. */
const MAX_LIVE_ROWS = 300;

/** Opens a stream of the project's new rows while the tab is visible. Returns whether it is connected. */
export function useLiveStream(
  projectId: string,
  filters: Params,
  enabled: boolean,
  onRows: (rows: ValidationRow[]) => void,
  after: () => string | undefined = () => undefined,
): boolean {
  const [connected, setConnected] = useState(false);
  const handlers = useRef({ onRows, after });
  handlers.current = { onRows, after };
  const path = `/projects/${encodeURIComponent(projectId)}/validations/live`;
  const query = JSON.stringify(filters);
  useEffect(() => {
    if (!enabled) return;
    let source: EventSource | undefined;
    const open = () => {
      if (source !== undefined || document.hidden) return;
      const known = JSON.parse(query) as Params;
      source = new EventSource(apiPath(path, { ...known, after: handlers.current.after() }));
      source.onopen = () => setConnected(true);
      source.onerror = () => setConnected(false);
      source.addEventListener('rows', ({ data }) => handlers.current.onRows(JSON.parse(String(data))));
    };
    const close = () => {
      source?.close();
      source = undefined;
      setConnected(false);
    };
    const onVisibility = () => (document.hidden ? close() : open());
    open();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      close();
    };
  }, [path, query, enabled]);
  return connected;
}

/** Adds new rows to the log's first page as they come. */
export function useLiveLog(
  projectId: string,
  filters: Params,
  queryKey: readonly unknown[],
  enabled: boolean,
): boolean {
  const queryClient = useQueryClient();
  const newest = () => queryClient.getQueryData<Log>(queryKey)?.pages[0]?.rows[0]?.id;
  const add = (rows: ValidationRow[]) => {
    queryClient.setQueryData<Log>(queryKey, (log) => {
      const first = log?.pages[0];
      if (log === undefined || first === undefined) return log;
      const known = new Set(log.pages.flatMap((page) => page.rows.map(({ id }) => id)));
      const fresh = rows.filter(({ id }) => !known.has(id));
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
  return useLiveStream(projectId, filters, enabled, add, newest);
}
