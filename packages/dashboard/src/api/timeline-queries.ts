import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export const timelineQuery = (id: string, subject: string) =>
  queryOptions({
    queryKey: ['timeline', id, subject],
    queryFn: ({ signal }) => api('GET /projects/:id/timeline', { id, subject }, { signal }),
  });
