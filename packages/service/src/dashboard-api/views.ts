import type { NewSavedView } from '@postern/contract/dashboard';
import { addView, changeView, listViews, removeView } from '../administration/saved-views.ts';
import { created, type DashboardRoute, fieldsOf, NO_CONTENT, ok, param, refuseOtherFields } from './route.ts';

/** Saved views belong to one member, so a viewer may change them too, and no audit entry is made. */
export const viewRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/projects/:id/views',
    access: 'viewer',
    run: async (call) => ok(await listViews(call.admin, param(call, 'id'))),
  },
  {
    method: 'POST',
    path: '/projects/:id/views',
    access: 'viewer',
    run: async (call) => {
      refuseOtherFields(call, ['name', 'filters']);
      return created(await addView(call.admin, param(call, 'id'), fieldsOf<NewSavedView>(call)));
    },
  },
  {
    method: 'PATCH',
    path: '/projects/:id/views/:viewId',
    access: 'viewer',
    run: async (call) => {
      refuseOtherFields(call, ['name', 'filters']);
      await changeView(call.admin, param(call, 'id'), param(call, 'viewId'), fieldsOf<NewSavedView>(call));
      return NO_CONTENT;
    },
  },
  {
    method: 'DELETE',
    path: '/projects/:id/views/:viewId',
    access: 'viewer',
    run: async (call) => {
      await removeView(call.admin, param(call, 'id'), param(call, 'viewId'));
      return NO_CONTENT;
    },
  },
];
