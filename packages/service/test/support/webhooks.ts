import type { NewWebhookRequest, WebhookChangeRequest } from '@postern/contract/dashboard';
import { operationsOf } from '../../dist/operations/run-operation.js';
import { webhookOperations } from '../../dist/operations/webhooks.js';
import type { Administration } from '../../src/operations/administration.ts';
import type { Delivery } from '../../src/store/tables/delivery-table.ts';
import type { Webhook } from '../../src/store/tables/webhook-table.ts';

const call = (admin: Administration) => operationsOf(webhookOperations, admin);

export async function createWebhook(
  admin: Administration,
  { projectId, ...body }: NewWebhookRequest & { readonly projectId: string },
): Promise<Webhook> {
  const { id } = await call(admin)('POST /projects/:id/webhooks', { id: projectId }, body);
  return stored(admin, id);
}

export async function changeWebhook(
  admin: Administration,
  webhookId: string,
  change: WebhookChangeRequest,
): Promise<Webhook> {
  await call(admin)('PATCH /webhooks/:webhookId', { webhookId }, change);
  return stored(admin, webhookId);
}

export async function rotateWebhook(admin: Administration, webhookId: string): Promise<Webhook> {
  await call(admin)('POST /webhooks/:webhookId/rotate', { webhookId });
  return stored(admin, webhookId);
}

export async function pingWebhook(admin: Administration, webhookId: string): Promise<string> {
  return (await call(admin)('POST /webhooks/:webhookId/ping', { webhookId })).eventId;
}

/** The newest of them. */
export async function listDeliveries(
  admin: Administration,
  webhookId: string,
  limit: number,
): Promise<Delivery[]> {
  const { projectId } = await stored(admin, webhookId);
  return admin.store.events.deliveries.page(projectId, webhookId, limit, null);
}

async function stored({ store }: Administration, id: string): Promise<Webhook> {
  const webhook = await store.events.webhooks.find(id);
  if (webhook === undefined) throw new Error('The webhook is not stored');
  return webhook;
}
