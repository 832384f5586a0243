import { DAY_MS, HOUR_MS } from '@postern/contract';
import type { LogSummaryView, ValidationPage } from '@postern/contract/dashboard';
import { CROWD_MS } from '../store/settle/crowd.ts';
import type { LogRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import type { LogStore } from '../store/tables/log-table.ts';
import { type Administration, InvalidInput, NotFound } from './administration.ts';
import { findProject } from './change-project.ts';
import { judgementOf } from './judgements.ts';
import { csvColumns, exportedLog, knownOfRows } from './log-csv.ts';
import { csv, type DashboardCall, type DashboardHandlers, ok, queryNumber, queryText } from './operation.ts';
import { ROWS_COUNTED } from './reach.ts';
import { filterOf } from './read-log-filter.ts';
import { validationDetail, validationRow } from './validation-row.ts';

const MOST_BUCKETS = 60;
const MINUTE_MS = 60_000;
const STEPS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
  7 * DAY_MS,
] as const;
const LONGEST_STEP = 30 * DAY_MS;

/** How many rows match the filter, and when they were. */
async function summarize(
  { store, now }: Pick<Administration, 'store' | 'now'>,
  projectId: string,
  filter: LogFilter,
): Promise<LogSummaryView> {
  const oldest = (await store.log.oldestAt(projectId)) ?? now();
  const to = Math.min(filter.to ?? Number.POSITIVE_INFINITY, now() + 1);
  const countedFrom = await store.log.countableFrom(projectId, filter, ROWS_COUNTED);
  const from = Math.max(filter.from ?? 0, oldest, countedFrom ?? 0);
  const stepMs = STEPS.find((step) => (to - from) / step < MOST_BUCKETS - 1) ?? LONGEST_STEP;
  const counts = await store.log.countByTime(projectId, { ...filter, from, to }, stepMs);
  const buckets: LogSummaryView['buckets'] = [];
  for (let at = Math.floor(from / stepMs) * stepMs; at < to && buckets.length < MOST_BUCKETS; at += stepMs)
    buckets.push({ at, allow: 0, flag: 0, block: 0, ...counts.get(at) });
  const total = [...counts.values()].reduce((sum, each) => sum + each.allow + each.flag + each.block, 0);
  return { total, since: countedFrom, stepMs, buckets };
}

const PAGE_ROWS = 50;
const MAX_PAGE_ROWS = 200;
/**
 * A filter that matches few rows has to read many. After this time the rows found so far are returned, with a cursor.
 */
const SEARCH_BUDGET_MS = 150;
/** The same for the newest rows of a page that shows more than the log. */
export const PAGE_BUDGET_MS = 100;

export const validationOperations = {
  'GET /projects/:id/validations': async (call) => {
    const project = await findProject(call.admin, call.params.id);
    const limit = queryNumber(call, 'limit', 1, MAX_PAGE_ROWS) ?? PAGE_ROWS;
    const at = call.admin.now();
    const { log } = call.admin.store;
    const found = await search(log, project.id, filterOf(call), limit, cursorOf(call), call.admin.now);
    const knownOf = await knownOfRows(call.admin, project.id, found.rows);
    const rows = found.rows.map((row) => ({ ...validationRow(row), ...knownOf(row) }));
    return ok({ rows, next: found.next, at } satisfies ValidationPage);
  },
  'GET /projects/:id/validations.csv': async (call) => {
    const project = await findProject(call.admin, call.params.id);
    const columns = csvColumns(queryText(call, 'columns'));
    const lines = exportedLog(call.admin, project.id, filterOf(call), columns, call.longReads);
    return csv(`validations-${project.id}`, lines);
  },
  'GET /projects/:id/validations/summary': async (call) => {
    const project = await findProject(call.admin, call.params.id);
    const { admin } = call;
    return ok(await call.longReads(() => summarize(admin, project.id, filterOf(call))));
  },
  'GET /projects/:id/validations/:validationId': async (call) => {
    const id = call.params.validationId;
    const { log, outcomes, memory } = call.admin.store;
    const row = await log.find(call.params.id, id);
    if (row === undefined)
      throw new NotFound('There is no such validation. Old ones are deleted from the log.');
    const outcome = await outcomes.find(row.projectId, row.inboxHash);
    const others = await memory.others(row.projectId, row, call.admin.now() - CROWD_MS);
    const shared = [...others].map(([thing, people]) => ({
      thing,
      people: people.length,
      good: people.filter((person) => person.outcome === 'good').length,
      bad: people.filter((person) => person.outcome === 'bad').length,
    }));
    const { stepUp } = (await knownOfRows(call.admin, row.projectId, [row]))(row);
    return ok({ ...validationDetail(row, judgementOf(outcome), shared), stepUp });
  },
} satisfies Partial<DashboardHandlers>;

/** Continues until the page is full, the log ends or the time is up. */
export async function search(
  log: Pick<LogStore, 'page'>,
  projectId: string,
  filter: LogFilter,
  limit: number,
  from: string | null,
  now: () => number,
  budgetMs = SEARCH_BUDGET_MS,
): Promise<{ rows: LogRow[]; next: string | null }> {
  const started = now();
  const rows: LogRow[] = [];
  let cursor = from;
  for (;;) {
    const page = await log.page(projectId, filter, limit - rows.length, cursor);
    rows.push(...page.rows);
    cursor = page.next;
    if (cursor === null || rows.length >= limit || now() - started > budgetMs) return { rows, next: cursor };
  }
}

function cursorOf(call: DashboardCall<never, 'cursor'>): string | null {
  const cursor = queryText(call, 'cursor') ?? null;
  if (cursor !== null && !/^[0-9a-z~-]{1,64}$/.test(cursor))
    throw new InvalidInput('cursor', 'cursor must be the value of next from the previous page.');
  return cursor;
}
