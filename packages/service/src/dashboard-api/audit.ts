import { csvLine } from '@postern/contract/csv';
import type { AuditEntry, AuditView } from '@postern/contract/dashboard';
import type { AuditRow } from '../store/store.ts';
import { mayRead } from './access.ts';
import { type DashboardCall, type DashboardRoute, memberOf, ok, queryNumber, queryText } from './route.ts';

const ROWS = 50;
const MAX_ROWS = 200;
const ROWS_AT_ONCE = 500;

export const auditRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/audit',
    access: 'member',
    run: async (call) => {
      const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
      const found: AuditRow[] = [];
      for await (const row of matching(
        call,
        queryNumber(call, 'before', 0, Number.MAX_SAFE_INTEGER) ?? null,
      )) {
        found.push(row);
        if (found.length > limit) break;
      }
      const { rows, next } = pageOf(found, limit);
      const names = await memberNames(call);
      return ok({ rows: rows.map((row) => entryOf(row, names)), next } satisfies AuditView);
    },
  },
  {
    method: 'GET',
    path: '/audit.csv',
    access: 'member',
    run: async (call) => ({
      status: 200,
      stream: exported(call),
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': 'attachment; filename="audit.csv"',
      },
    }),
  },
];

/** The rows that pass the filters, newest first. */
async function* matching(call: DashboardCall, start: number | null): AsyncGenerator<AuditRow> {
  const { audit } = call.admin.store;
  const project = queryText(call, 'project') ?? null;
  const member = memberOf(call);
  const [actor, action] = [queryText(call, 'actor'), queryText(call, 'action')];
  const from = queryNumber(call, 'from', 0, Number.MAX_SAFE_INTEGER) ?? 0;
  const to = queryNumber(call, 'to', 0, Number.MAX_SAFE_INTEGER) ?? Number.MAX_SAFE_INTEGER;
  let before = start;
  for (;;) {
    const found = await audit.page(project, ROWS_AT_ONCE, before);
    const { rows, next } = pageOf(found, ROWS_AT_ONCE - 1);
    for (const row of rows) {
      if (row.at < from) return;
      if (!mayRead(member, row.projectId)) continue;
      const wanted = row.at < to && (actor === undefined || row.actor === actor);
      if (wanted && (action === undefined || row.action === action)) yield row;
    }
    if (next === null) return;
    before = next;
  }
}

/** Pages continue by time. Rows of the same millisecond stay on one page, so that none is lost between pages. */
function pageOf(
  found: readonly AuditRow[],
  limit: number,
): { rows: readonly AuditRow[]; next: number | null } {
  const surplus = found[limit];
  if (surplus === undefined) return { rows: found, next: null };
  const whole = found.filter(({ at }) => at > surplus.at);
  const rows = whole.length > 0 ? whole : found.slice(0, limit);
  return { rows, next: rows.at(-1)?.at ?? null };
}

async function memberNames({ admin }: DashboardCall): Promise<ReadonlyMap<string, string>> {
  return new Map((await admin.store.members.list()).map(({ id, name }) => [id, name]));
}

function entryOf(row: AuditRow, names: ReadonlyMap<string, string>): AuditEntry {
  const { memberId } = row.detail;
  return {
    ...row,
    detail: { ...row.detail },
    actorName: names.get(row.actor) ?? null,
    memberName: typeof memberId === 'string' ? (names.get(memberId) ?? null) : null,
  };
}

async function* exported(call: DashboardCall): AsyncGenerator<string> {
  const names = await memberNames(call);
  yield csvLine(['time', 'actor', 'name', 'action', 'project', 'member', 'detail']);
  for await (const row of matching(call, null)) {
    const entry = entryOf(row, names);
    yield csvLine([
      new Date(entry.at).toISOString(),
      entry.actor,
      entry.actorName ?? '',
      entry.action,
      entry.projectId ?? '',
      entry.memberName ?? '',
      JSON.stringify(entry.detail),
    ]);
  }
}
