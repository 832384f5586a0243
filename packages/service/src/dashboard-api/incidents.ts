import type { IncidentView } from '@postern/contract/dashboard';
import { changeIncident, type IncidentFacts, listIncidents } from '../administration/incidents.ts';
import { pageOf } from '../model/page.ts';
import { memberNames } from './member-names.ts';
import { type DashboardHandlers, ok, queryChoice, queryNumber, queryTime } from './route.ts';

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
    const names = await memberNames(call);
    return ok({ rows: rows.map((row) => viewOf(row, names)), next: next === null ? null : Number(next) });
  },
  'PATCH /projects/:id/incidents/:incidentId': async (call) => {
    const { id, incidentId } = call.params;
    const changed = await changeIncident(call.admin, id, incidentId, call.fields());
    return ok(viewOf(changed, await memberNames(call)));
  },
} satisfies Partial<DashboardHandlers>;

function viewOf(facts: IncidentFacts, names: ReadonlyMap<string, string>): IncidentView {
  const { owner } = facts;
  return { ...facts, owner: owner === null ? null : { id: owner, name: names.get(owner) ?? owner } };
}
