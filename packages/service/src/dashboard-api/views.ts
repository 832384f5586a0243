import { addView, changeView, listViews, removeView } from '../administration/saved-views.ts';
import { created, type DashboardHandlers, NO_CONTENT, ok } from './route.ts';

/** Saved views belong to one member, so a viewer may change them too, and no audit entry is made. */
export const viewRoutes = {
  'GET /projects/:id/views': async (call) => ok(await listViews(call.admin, call.params.id)),
  'POST /projects/:id/views': async (call) => {
    return created(await addView(call.admin, call.params.id, call.fields()));
  },
  'PATCH /projects/:id/views/:viewId': async (call) => {
    await changeView(call.admin, call.params.id, call.params.viewId, call.fields());
    return NO_CONTENT;
  },
  'DELETE /projects/:id/views/:viewId': async (call) => {
    await removeView(call.admin, call.params.id, call.params.viewId);
    return NO_CONTENT;
  },
} satisfies Partial<DashboardHandlers>;
