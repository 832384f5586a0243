import type { ReviewView } from '@postern/contract/dashboard';
import { decideManyReviews, decideReview, reviewQueue } from '../administration/review.ts';
import {
  type DashboardHandlers,
  ok,
  queryChoice,
  queryNumber,
  queryText,
  Refused,
  type RouteCall,
} from '../operations/operation.ts';
import { filterOf } from './read-log-filter.ts';
import { validationRow } from './validation-row.ts';

const ROWS = 50;
const MAX_ROWS = 200;

export const reviewRoutes = {
  'GET /projects/:id/review': async (call) => ok(await queueView(call)),
  'POST /projects/:id/review/:validationId/decide': async (call) => {
    const fields = call.body;
    const { result, undo } = await decideReview(call.admin, call.params.id, call.params.validationId, fields);
    if (result === 'already-decided')
      throw new Refused(409, 'Somebody else has already decided this one. Nothing was changed.');
    if (result === 'already-decided-by-you')
      throw new Refused(409, 'You have already decided this one. Nothing was changed.');
    return ok({ decided: result === 'decided', undo });
  },
  'POST /projects/:id/review/decide': async (call) =>
    ok(await decideManyReviews(call.admin, call.params.id, call.body)),
} satisfies Partial<DashboardHandlers>;

async function queueView(call: RouteCall<'GET /projects/:id/review'>): Promise<ReviewView> {
  const order = queryChoice(call, 'order', ['oldest', 'riskiest'] as const) ?? 'oldest';
  const limit = queryNumber(call, 'limit', 0, MAX_ROWS) ?? ROWS;
  const after = queryText(call, 'after') ?? null;
  const asked = { order, limit, after, filter: filterOf(call) };
  const { open, sorted, queue, next } = await reviewQueue(call.admin, call.params.id, asked);
  const rows = queue.map(({ row, risk }) => ({ ...validationRow(row), risk }));
  return { open, sorted, rows, next };
}
