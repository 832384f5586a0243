import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { LogFilters } from '@postern/contract/dashboard';
import type { Project } from '../model/project.ts';
import type { Store } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import type { ViewRow } from '../store/tables/view-table.ts';
import { alertId, reportAlert } from './report-alert.ts';

export interface ViewWatchParts {
  readonly store: Pick<Store, 'events' | 'log' | 'views'>;
  /** The filters of a view, without their time. `undefined` if the log no longer knows one of them. */
  readonly readFilter: (filters: LogFilters) => LogFilter | undefined;
}

const MINUTE_MS = 60_000;
/** A row is stored a moment after the time in its ID. Later than this it is never stored. */
const STORED_AFTER_MS = 10_000;
const SPAN_MS = { hour: HOUR_MS, day: DAY_MS } as const;
const SPAN_TEXT = { hour: 'the last hour', day: 'the last 24 hours' } as const;
const MOST_VIEWS = 20;
/** When the process has just started, at most so many of the newest rows are counted for a view. */
const FIRST_ROWS = 50_000;

interface Watched {
  /** What is counted. A view that was changed is counted anew. */
  readonly what: string;
  countedTo: number;
  /** The matches of each minute. */
  readonly minutes: Map<number, number>;
}

/** Counts the new matches of each view that has an alert. Only rows that came since the last look are read. */
export function createViewWatch({ store, readFilter }: ViewWatchParts) {
  const watched = new Map<string, Watched>();

  const countNew = async (projectId: string, view: ViewRow, filter: LogFilter, to: number) => {
    const from = to - SPAN_MS[view.alertSpan];
    const what = `${view.alertSpan} ${JSON.stringify(view.filters)}`;
    let state = watched.get(view.id);
    if (state === undefined || state.what !== what || state.countedTo < from) {
      const countable = await store.log.countableFrom(projectId, { from, to }, FIRST_ROWS);
      state = { what, countedTo: Math.max(from, countable ?? 0), minutes: new Map() };
      watched.set(view.id, state);
    }
    const span = { ...filter, mode: 'live', from: state.countedTo, to } as const;
    for (const [minute, { allow, flag, block }] of await store.log.countByTime(projectId, span, MINUTE_MS))
      state.minutes.set(minute, (state.minutes.get(minute) ?? 0) + allow + flag + block);
    state.countedTo = to;
    let sum = 0;
    for (const [minute, matches] of state.minutes) {
      if (minute < from) state.minutes.delete(minute);
      else sum += matches;
    }
    return sum;
  };

  return async ({ id: projectId }: Project, now: number): Promise<void> => {
    const to = Math.floor((now - STORED_AFTER_MS) / MINUTE_MS) * MINUTE_MS;
    const views = await store.views.withAlert(projectId, MOST_VIEWS);
    for (const view of views) {
      const filter = readFilter(view.filters);
      if (filter === undefined) continue;
      const count = await countNew(projectId, view, filter, to);
      if (count >= view.alertAtLeast) await report(store, projectId, view, count, now);
    }
  };
}

/** A view is reported at most once within its span. */
async function report(
  store: ViewWatchParts['store'],
  projectId: string,
  view: ViewRow,
  count: number,
  now: number,
): Promise<void> {
  const spanMs = SPAN_MS[view.alertSpan];
  const period = Math.floor(now / spanMs);
  const of = (about: number) => ({ projectId, type: 'view.matched', about: [view.id, about] }) as const;
  const before = await store.events.find(projectId, alertId(of(period - 1)));
  if (before !== undefined && before.at > now - spanMs) return;
  await reportAlert(store, {
    ...of(period),
    at: now,
    data: {
      viewId: view.id,
      viewName: view.name,
      count,
      atLeast: view.alertAtLeast,
      since: new Date(now - spanMs).toISOString(),
      message: `${count} validations matched the view “${view.name}” in ${SPAN_TEXT[view.alertSpan]}; you asked to be told of ${view.alertAtLeast} or more.`,
    },
  });
}
