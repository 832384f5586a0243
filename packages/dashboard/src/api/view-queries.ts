import type { NewSavedView, SavedView } from '@postern/contract/dashboard';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const path = (projectId: string, id?: string) =>
  `/projects/${encodeURIComponent(projectId)}/views${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

/** The person’s own saved views of the project’s log. */
export const viewsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['views', projectId],
    staleTime: 5 * 60_000,
    queryFn: ({ signal }) => api.get<SavedView[]>(path(projectId), {}, signal),
  });

export const addView = (projectId: string, view: NewSavedView) => api.post<SavedView>(path(projectId), view);
export const changeView = (projectId: string, id: string, change: Partial<NewSavedView>) =>
  api.patch(path(projectId, id), change);
export const removeView = (projectId: string, id: string) => api.remove(path(projectId, id));
