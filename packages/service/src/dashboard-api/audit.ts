import type { AuditView } from '@postern/contract/dashboard';
import type { AuditRow } from '../store/store.ts';
import { type DashboardRoute, ok, queryNumber, queryText } from './route.ts';

const ROWS = 50;
const MAX_ROWS = 200;

export const auditRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/audit',
    access: 'viewer',
    run: async (call) => {
      const { audit, people } = call.admin.store;
      const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
      const before = queryNumber(call, 'before', 0, Number.MAX_SAFE_INTEGER) ?? null;
      const found = await audit.page(queryText(call, 'project') ?? null, limit + 1, before);
      const { rows, next } = pageOf(found, limit);
      const names = new Map((await people.members()).map(({ id, name }) => [id, name]));
      const view: AuditView = {
        rows: rows.map((row) => ({ ...row, actorName: names.get(row.actor) ?? null })),
        next,
      };
      return ok(view);
    },
  },
];

/** Pages go on by time; rows of one moment stay together, so that none falls between two pages. */
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
