import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** A project’s rules, in the order in which they are asked. */
export const rulesQuery = (id: string) =>
  queryOptions({
    queryKey: ['rules', id],
    queryFn: ({ signal }) => api('GET /projects/:id/rules', { id }, { signal }),
  });
