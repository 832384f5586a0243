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

/** The ring that an inbox or a device is in, if it is in one. */
export const ringOfQuery = (id: string, hash: string) =>
  queryOptions({
    queryKey: ['rings', id, 'of', hash],
    queryFn: async ({ signal }) => {
      const { rings } = await api('GET /projects/:id/rings', { id, of: hash }, { signal });
      return rings[0] ?? null;
    },
  });
