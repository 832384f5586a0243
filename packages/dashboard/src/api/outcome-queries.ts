import type { DeliveriesView, EventsView } from '@postern/contract/dashboard';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Params } from './client.ts';

export const outcomesQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: ['outcomes', id, days],
    queryFn: ({ signal }) => api('GET /projects/:id/outcomes', { id, days }, { signal }),
  });

export type ReviewOrder = 'oldest' | 'riskiest';

/** The rows of the review queue. Other members work on it too, so it is read again often. */
export const reviewQuery = (id: string, order: ReviewOrder, filters: Params) =>
  queryOptions({
    queryKey: ['review', id, order, filters],
    refetchInterval: 15_000,
    queryFn: ({ signal }) =>
      api('GET /projects/:id/review', { ...filters, id, order, limit: 100 }, { signal }),
  });

/** The most rows that can be decided together. */
const MOST_SELECTED = 1_000;

/** The IDs of all rows that match, the oldest first, at most a thousand. */
export async function reviewIds(id: string, filters: Params): Promise<string[]> {
  const ids: string[] = [];
  let after: string | undefined;
  do {
    const page = await api('GET /projects/:id/review', { ...filters, id, after, limit: 200 });
    ids.push(...page.rows.map((row) => row.id));
    after = page.next ?? undefined;
  } while (after !== undefined && ids.length < MOST_SELECTED);
  return ids.slice(0, MOST_SELECTED);
}

/** How many wait, for the navigation. */
export const reviewCountQuery = (id: string) =>
  queryOptions({
    queryKey: ['review', id, 'count'],
    refetchInterval: 60_000,
    queryFn: async ({ signal }) => (await api('GET /projects/:id/review', { id, limit: 0 }, { signal })).open,
  });

export const webhooksQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => api('GET /projects/:id/webhooks', { id }, { signal }),
  });

export const deliveriesQuery = (webhookId: string) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', webhookId],
    refetchInterval: 5_000,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: DeliveriesView) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api('GET /webhooks/:webhookId/deliveries', { webhookId, before: pageParam }, { signal }),
  });

export const deliveryQuery = (id: string, webhookId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['delivery', deliveryId],
    queryFn: ({ signal }) =>
      api(
        'GET /projects/:id/webhooks/:webhookId/deliveries/:deliveryId',
        { id, webhookId, deliveryId },
        { signal },
      ),
  });

/** Events of these types, newest first. */
export const eventsQuery = (id: string, type: string) =>
  infiniteQueryOptions({
    queryKey: ['events', id, type],
    refetchInterval: 60_000,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: EventsView) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api('GET /projects/:id/events', { id, type, before: pageParam }, { signal }),
  });
