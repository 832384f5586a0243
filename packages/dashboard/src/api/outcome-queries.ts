import type {
  DeliveriesView,
  DeliveryDetail,
  EventsView,
  OutcomeReportView,
  ReviewView,
  WebhookView,
} from '@postern/contract/dashboard';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

const path = (id: string, rest: string) => `/projects/${encodeURIComponent(id)}${rest}`;

export const outcomesQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: ['outcomes', id, days],
    queryFn: ({ signal }) => api.get<OutcomeReportView>(path(id, '/outcomes'), { days }, signal),
  });

export type ReviewOrder = 'oldest' | 'riskiest';

/** The rows of the review queue. Other members work on it too, so it is read again often. */
export const reviewQuery = (id: string, order: ReviewOrder) =>
  queryOptions({
    queryKey: ['review', id, order],
    refetchInterval: 15_000,
    queryFn: ({ signal }) => api.get<ReviewView>(path(id, '/review'), { order, limit: 100 }, signal),
  });

/** How many wait, for the navigation. */
export const reviewCountQuery = (id: string) =>
  queryOptions({
    queryKey: ['review', id, 'count'],
    refetchInterval: 60_000,
    queryFn: async ({ signal }) =>
      (await api.get<ReviewView>(path(id, '/review'), { limit: 0 }, signal)).open,
  });

export const webhooksQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => api.get<WebhookView[]>(path(id, '/webhooks'), {}, signal),
  });

export const deliveriesQuery = (webhookId: string) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', webhookId],
    refetchInterval: 5_000,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: DeliveriesView) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api.get<DeliveriesView>(
        `/webhooks/${encodeURIComponent(webhookId)}/deliveries`,
        { before: pageParam },
        signal,
      ),
  });

export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: ['delivery', deliveryId],
    queryFn: ({ signal }) =>
      api.get<DeliveryDetail>(`/deliveries/${encodeURIComponent(deliveryId)}`, {}, signal),
  });

export const eventsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['events', id],
    refetchInterval: 60_000,
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last: EventsView) => last.next ?? undefined,
    queryFn: ({ pageParam, signal }) =>
      api.get<EventsView>(path(id, '/events'), { before: pageParam }, signal),
  });
