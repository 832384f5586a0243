import { hasRole, roleIn } from '@postern/contract/dashboard';
import { addView, changeView, listViews, removeView } from '../administration/saved-views.ts';
import {
  created,
  type DashboardHandlers,
  memberOf,
  NO_CONTENT,
  ok,
  Refused,
  type RouteCall,
} from './route.ts';

/** Saved views belong to one member, so a viewer may change them too, and no audit entry is made. */
export const viewRoutes = {
  'GET /projects/:id/views': async (call) => ok(await listViews(call.admin, call.params.id)),
  'POST /projects/:id/views': async (call) => {
    refuseViewersAlert(call);
    return created(await addView(call.admin, call.params.id, call.fields()));
  },
  'PATCH /projects/:id/views/:viewId': async (call) => {
    refuseViewersAlert(call);
    await changeView(call.admin, call.params.id, call.params.viewId, call.fields());
    return NO_CONTENT;
  },
  'DELETE /projects/:id/views/:viewId': async (call) => {
    await removeView(call.admin, call.params.id, call.params.viewId);
    return NO_CONTENT;
  },
} satisfies Partial<DashboardHandlers>;

type Saving = RouteCall<'POST /projects/:id/views'> | RouteCall<'PATCH /projects/:id/views/:viewId'>;

/** An alert reaches everybody whom the project’s webhooks tell. */
function refuseViewersAlert(call: Saving): void {
  if ((call.fields().alert ?? null) === null || hasRole(roleIn(memberOf(call), call.params.id), 'analyst'))
    return;
  throw new Refused(403, 'An alert on a view needs the role analyst.');
}
