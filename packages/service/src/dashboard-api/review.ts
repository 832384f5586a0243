import type { ReviewView } from '@postern/contract/dashboard';
import {
  assignReviews,
  decideManyReviews,
  decideReview,
  lookAtReview,
  reviewQueue,
} from '../administration/review.ts';
import { memberNames } from './member-names.ts';
import { filterOf } from './read-log-filter.ts';
import {
  type DashboardHandlers,
  memberOf,
  ok,
  queryChoice,
  queryNumber,
  queryText,
  Refused,
  type RouteCall,
} from './route.ts';
import { validationRow } from './validation-row.ts';

const ROWS = 50;
const MAX_ROWS = 200;

export const reviewRoutes = {
  'GET /projects/:id/review': async (call) => ok(await queueView(call)),
  'POST /projects/:id/review/:validationId/look': async (call) => {
    const others = await lookAtReview(call.admin, call.params.id, call.params.validationId);
    const names = await memberNames(call);
    return ok({ lookedAtBy: others.map((id) => names.get(id) ?? id) });
  },
  'POST /projects/:id/review/:validationId/decide': async (call) => {
    const fields = call.fields();
    const { result, undo } = await decideReview(call.admin, call.params.id, call.params.validationId, fields);
    if (result === 'already-decided')
      throw new Refused(409, 'Somebody else has already decided this one. Nothing was changed.');
    if (result === 'already-decided-by-you')
      throw new Refused(409, 'You have already decided this one. Nothing was changed.');
    return ok({ decided: result === 'decided', undo });
  },
  'POST /projects/:id/review/decide': async (call) =>
    ok(await decideManyReviews(call.admin, call.params.id, call.fields())),
  'POST /projects/:id/review/assign': async (call) =>
    ok({ assigned: await assignReviews(call.admin, call.params.id, call.fields()) }),
} satisfies Partial<DashboardHandlers>;

async function queueView(call: RouteCall<'GET /projects/:id/review'>): Promise<ReviewView> {
  const order = queryChoice(call, 'order', ['oldest', 'riskiest'] as const) ?? 'oldest';
  const limit = queryNumber(call, 'limit', 0, MAX_ROWS) ?? ROWS;
  const after = queryText(call, 'after') ?? null;
  const self = memberOf(call).id;
  const asked = { order, limit, after, filter: filterOf(call), assignedTo: assignedTo(call, self) };
  const { open, sorted, queue, next } = await reviewQueue(call.admin, call.params.id, asked);
  const names = await memberNames(call);
  const nameOf = (id: string) => names.get(id) ?? id;
  return {
    open,
    sorted,
    rows: queue.map(({ row, risk, lookedAtBy, assignedTo: assignee }) => ({
      ...validationRow(row),
      risk,
      lookedAtBy: lookedAtBy.filter((id) => id !== self).map(nameOf),
      assignedTo: assignee === null ? null : { id: assignee, name: nameOf(assignee) },
    })),
    next,
  };
}

function assignedTo(call: RouteCall<'GET /projects/:id/review'>, self: string): string | null | undefined {
  const text = queryText(call, 'assigned');
  if (text === 'nobody') return null;
  return text === 'me' ? self : text;
}
