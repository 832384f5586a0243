import { changeIncident, listIncidents } from '../administration/incidents.ts';
import { pageOf } from '../model/page.ts';
import { type DashboardHandlers, ok, queryChoice, queryNumber, queryTime } from '../operations/operation.ts';

const ROWS = 20;
const MAX_ROWS = 50;

export const incidentRoutes = {
  'GET /projects/:id/incidents': async (call) => {
    const limit = queryNumber(call, 'limit', 1, MAX_ROWS) ?? ROWS;
    const before = queryTime(call, 'before') ?? null;
    const found = await listIncidents(call.admin, call.params.id, limit + 1, before);
    const wanted = queryChoice(call, 'state', ['open'] as const);
    const shown = wanted === undefined ? found : found.filter(({ state }) => state !== 'closed');
    const { rows, next } = pageOf(shown, limit, ({ lastAt }) => String(lastAt));
    return ok({ rows: [...rows], next: next === null ? null : Number(next) });
  },
  'PATCH /projects/:id/incidents/:incidentId': async (call) => {
    const { id, incidentId } = call.params;
    return ok(await changeIncident(call.admin, id, incidentId, call.body));
  },
} satisfies Partial<DashboardHandlers>;
