import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export const ringsQuery = (id: string) =>
  queryOptions({
    queryKey: ['rings', id],
    queryFn: ({ signal }) => api('GET /projects/:id/rings', { id }, { signal }),
  });

/** `hash`: an inbox or a device of the ring. */
export const ringQuery = (id: string, hash: string) =>
  queryOptions({
    queryKey: ['rings', id, hash],
    queryFn: ({ signal }) => api('GET /projects/:id/rings/:hash', { id, hash }, { signal }),
  });
