import type { ValidationPage, ValidationRow } from '@postern/contract/dashboard';
import { type InfiniteData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { api, type Params } from './client.ts';
import { queryOf } from './query-of.ts';
import { isSessionEnded, onSessionChange } from './session-ended.ts';

type Log = InfiniteData<ValidationPage, string | undefined>;

const ASKED_EVERY_MS = 2_000;

/** A row can be written this long after its time: batches, several processes, clocks that differ. */
const LATE_MS = 5_000;
const MOST_AT_ONCE = 200;

/** More rows than anyone scrolls through; older ones stay in the log. */
const MAX_LIVE_ROWS = 300;

/** `skipping`: more rows came in than one answer has. */
export type LiveState = 'connecting' | 'live' | 'skipping';

/** Asks again and again while the tab is visible and the member is signed in. */
function useAsking(enabled: boolean) {
  const ended = useSyncExternalStore(onSessionChange, isSessionEnded);
  return { enabled: enabled && !ended, refetchInterval: ASKED_EVERY_MS, staleTime: 0, retry: false };
}

/** The newest row of the log by its ID, empty without one, and whether it came just before it was read. */
export function useNewestRow(projectId: string, enabled: boolean) {
  const { data } = useQuery({
    ...queryOf('GET /projects/:id/validations', { id: projectId, limit: 1 }),
    ...useAsking(enabled),
    select: ({ rows: [row], at }) => ({
      id: row?.id ?? '',
      isNew: row !== undefined && row.at > at - LATE_MS,
    }),
  });
  return data;
}

interface News {
  /** When it was read, by the service’s clock. */
  readonly at: number;
  readonly rows: readonly ValidationRow[];
  /** Rows that came before this and after the log was read may be missing. */
  readonly gapUntil: number;
}

/** Adds new rows to the log’s first page as they come. */
export function useLiveLog(
  projectId: string,
  filters: Params,
  queryKey: readonly unknown[],
  enabled: boolean,
): LiveState {
  const queryClient = useQueryClient();
  const asking = useAsking(enabled);
  const readAt = () => queryClient.getQueryData<Log>(queryKey)?.pages[0]?.at ?? 0;
  const { data: news, isError } = useQuery({
    ...asking,
    queryKey: ['new-validations', ...queryKey],
    queryFn: async ({ signal, client, queryKey }): Promise<News> => {
      const before = client.getQueryData<News>(queryKey);
      // A failed request leaves no gap: the next one starts where the last good one did.
      const from = Math.max(before?.at ?? 0, readAt()) - LATE_MS;
      const { rows, next, at } = await api(
        'GET /projects/:id/validations',
        { ...filters, id: projectId, from: Math.max(from, Number(filters.from ?? 0)), limit: MOST_AT_ONCE },
        { signal },
      );
      const ids = new Set(rows.map(({ id }) => id));
      const kept = before?.rows.filter((row) => !ids.has(row.id) && row.at >= readAt() - LATE_MS) ?? [];
      const gapUntil = next === null ? (before?.gapUntil ?? 0) : (rows.at(-1)?.at ?? at);
      return { at, rows: [...rows, ...kept].slice(0, MAX_LIVE_ROWS), gapUntil };
    },
    // The page is drawn again only for new rows.
    select: ({ rows, gapUntil }: News) => ({ rows, gapUntil }),
  });
  // Also after the log was read again or further back: that answer may be from before these rows came.
  useEffect(() => {
    const log = queryClient.getQueryData<Log>(queryKey);
    const merged = log && news && withRows(log, news.rows);
    if (merged !== log) queryClient.setQueryData<Log>(queryKey, merged);
  });
  if (!asking.enabled || isError || news === undefined) return 'connecting';
  return news.gapUntil > readAt() ? 'skipping' : 'live';
}

/** The log with the rows that it lacks; the same log if it lacks none. */
function withRows(log: Log, rows: readonly ValidationRow[]): Log {
  const [first, ...others] = log.pages;
  if (first === undefined) return log;
  const ids = log.pages.flatMap((page) => page.rows.map(({ id }) => id));
  // Older rows than these come with “Show older”.
  const end = (log.pages.at(-1)?.next && ids.at(-1)) || '';
  // What came before the log was read and is not in it was erased.
  const isMissing = ({ id, at }: ValidationRow) => at >= first.at - LATE_MS && id > end && !ids.includes(id);
  const fresh = rows.filter(isMissing);
  if (fresh.length === 0) return log;
  const merged = [...fresh, ...first.rows].sort((one, other) => (one.id < other.id ? 1 : -1));
  // With only one page loaded, rows that fall out of it are still found by “Show older”.
  const page =
    others.length === 0 && merged.length > MAX_LIVE_ROWS
      ? { ...first, rows: merged.slice(0, MAX_LIVE_ROWS), next: merged[MAX_LIVE_ROWS - 1]?.id ?? null }
      : { ...first, rows: merged };
  return { ...log, pages: [page, ...others] };
}
