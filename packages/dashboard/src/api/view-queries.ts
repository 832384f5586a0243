import type { NewSavedView } from '@postern/contract/dashboard';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The person’s own saved views of the project’s log. */
export const viewsQuery = (id: string) =>
  queryOptions({
    queryKey: ['views', id],
    staleTime: 5 * 60_000,
    queryFn: ({ signal }) => api('GET /projects/:id/views', { id }, { signal }),
  });

export const addView = (id: string, body: NewSavedView) => api('POST /projects/:id/views', { id }, { body });
export const changeView = (id: string, viewId: string, body: Partial<NewSavedView>) =>
  api('PATCH /projects/:id/views/:viewId', { id, viewId }, { body });
export const removeView = (id: string, viewId: string) =>
  api('DELETE /projects/:id/views/:viewId', { id, viewId });
