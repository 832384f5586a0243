import type { ReviewView } from '@postern/contract/dashboard';
import { api, type Params } from './client.ts';
import { pagesOf, queryOf } from './query-of.ts';

export const outcomesQuery = (id: string, days: number) =>
  queryOf('GET /projects/:id/outcomes', { id, days });

export type ReviewOrder = 'oldest' | 'riskiest';

/** The rows of the review queue. Other members work on it too, so it is read again often. */
export const reviewQuery = (id: string, order: ReviewOrder, filters: Params) => ({
  ...queryOf('GET /projects/:id/review', { ...filters, id, order, limit: 100 }),
  refetchInterval: 15_000,
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
export const reviewCountQuery = (id: string) => ({
  ...queryOf('GET /projects/:id/review', { id, limit: 0 }),
  refetchInterval: 60_000,
  select: ({ open }: ReviewView) => open,
});

export const webhooksQuery = (id: string) => queryOf('GET /projects/:id/webhooks', { id });

export const deliveriesQuery = (webhookId: string) => ({
  ...pagesOf('GET /webhooks/:webhookId/deliveries', 'before', { webhookId }),
  refetchInterval: 5_000,
});

export const deliveryQuery = (id: string, webhookId: string, deliveryId: string) =>
  queryOf('GET /projects/:id/webhooks/:webhookId/deliveries/:deliveryId', { id, webhookId, deliveryId });

/** Events of these types, newest first. */
export const eventsQuery = (id: string, type: string) => ({
  ...pagesOf('GET /projects/:id/events', 'before', { id, type }),
  refetchInterval: 60_000,
});
