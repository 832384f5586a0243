import { csvLine } from '@postern/contract/csv';
import type { AuditEntry, AuditView } from '@postern/contract/dashboard';
import { pageOf } from '../model/page.ts';
import type { ChainedAuditRow } from '../store/tables/audit-table.ts';
import { memberNames } from './member-names.ts';
import {
  csv,
  type DashboardCall,
  type DashboardHandlers,
  mayRead,
  ok,
  queryId,
  queryNumber,
  queryText,
  queryTime,
  type RouteCall,
} from './operation.ts';

type StoredRow = ChainedAuditRow;

const ROWS = 50;
const MAX_ROWS = 200;
const ROWS_AT_ONCE = 500;

export const auditRoutes = {
  'GET /audit': async (call) => {
    const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
    const found: StoredRow[] = [];
    for await (const row of matching(call, filtersOf(call), queryId(call, 'before'))) {
      found.push(row);
      if (found.length > limit) break;
    }
    const { rows, next } = pageOf(found, limit, ({ id }) => id);
    const names = await memberNames(call);
    return ok({ rows: rows.map((row) => entryOf(row, names)), next } satisfies AuditView);
  },
  'GET /audit.csv': async (call) => csv('audit', exported(call, filtersOf(call))),
} satisfies Partial<DashboardHandlers>;

type AuditFilters = ReturnType<typeof filtersOf>;

/** Read before the answer starts, so that a wrong one is a 400. */
function filtersOf(call: RouteCall<'GET /audit.csv'>) {
  return {
    project: queryText(call, 'project') ?? null,
    actor: queryText(call, 'actor'),
    action: queryText(call, 'action'),
    from: queryTime(call, 'from') ?? 0,
    to: queryTime(call, 'to') ?? Number.MAX_SAFE_INTEGER,
  };
}

/** The rows that pass the filters, newest first. */
async function* matching(
  call: DashboardCall,
  { project, actor, action, from, to }: AuditFilters,
  start: string | null,
): AsyncGenerator<StoredRow> {
  const { audit } = call.admin.store;
  const { member } = call;
  let before = start;
  for (;;) {
    const found = await audit.page(project, ROWS_AT_ONCE + 1, before);
    const { rows, next } = pageOf(found, ROWS_AT_ONCE, ({ id }) => id);
    for (const row of rows) {
      if (row.at < from) return;
      if (member !== undefined && !mayRead(member, row.projectId)) continue;
      const wanted = row.at < to && (actor === undefined || row.actor === actor);
      if (wanted && (action === undefined || row.action === action)) yield row;
    }
    if (next === null) return;
    before = next;
  }
}

function entryOf({ id: _id, ...row }: StoredRow, names: ReadonlyMap<string, string>): AuditEntry {
  const { memberId } = row.detail;
  return {
    ...row,
    detail: { ...row.detail },
    actorName: names.get(row.actor) ?? null,
    memberName: typeof memberId === 'string' ? (names.get(memberId) ?? null) : null,
  };
}

async function* exported(call: DashboardCall, filters: AuditFilters): AsyncGenerator<string> {
  const names = await memberNames(call);
  yield csvLine(['time', 'actor', 'name', 'action', 'project', 'member', 'detail', 'seq', 'hash']);
  for await (const row of matching(call, filters, null)) {
    const entry = entryOf(row, names);
    yield csvLine([
      new Date(entry.at).toISOString(),
      entry.actor,
      entry.actorName ?? '',
      entry.action,
      entry.projectId ?? '',
      entry.memberName ?? '',
      JSON.stringify(entry.detail),
      entry.seq === null ? '' : String(entry.seq),
      entry.hash ?? '',
    ]);
  }
}
