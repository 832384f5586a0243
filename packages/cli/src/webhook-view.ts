import { namesOfEvents } from '@postern/contract';
import type { Delivery } from '@postern/service/store/tables/delivery-table';
import type { Webhook } from '@postern/service/store/tables/webhook-table';
import { isoMoment, relativeMoment } from './moment.ts';
import { formatTable } from './table.ts';
import type { Colors } from './terminal.ts';

/** A webhook as `--json` prints it, without its secret. */
export function webhookJson(webhook: Webhook): Record<string, unknown> {
  return {
    id: webhook.id,
    projectId: webhook.projectId,
    url: webhook.url,
    events: namesOfEvents(webhook.events),
    format: webhook.format,
    filter: webhook.filter,
    createdAt: isoMoment(webhook.createdAt),
    failingSince: isoMoment(webhook.failingSince),
    disabledAt: isoMoment(webhook.disabledAt),
    previousSecretUntil: isoMoment(webhook.previousUntil),
  };
}

/** The same with the secret, which is printed only once. */
export function issuedWebhookJson(webhook: Webhook): Record<string, unknown> {
  const { id, projectId, url, events, ...rest } = webhookJson(webhook);
  return { id, url, events, secret: webhook.secret, projectId, ...rest };
}

export function issuedWebhookText(webhook: Webhook, colors: Colors): string {
  return [
    `Webhook ${colors.bold(webhook.id)} of project ${colors.bold(webhook.projectId)} sends to ${webhook.url}`,
    '',
    `  ${colors.green(webhook.secret)}`,
    '',
    'The secret is shown only once. The receiver checks each delivery’s signature with it:',
    'verifyWebhook in postern~sdk-node, or any Standard Webhooks library.',
    '',
  ].join('\n');
}

export function webhookStore(webhooks: readonly Webhook[], now: number, colors: Colors): string {
  return formatTable(
    webhooks,
    [
      { title: 'id', cell: ({ id }) => colors.bold(id) },
      { title: 'project', cell: ({ projectId }) => projectId },
      { title: 'url', cell: ({ url }) => url },
      { title: 'format', cell: ({ format }) => format },
      {
        title: 'events',
        cell: ({ events }) => (events === '*' ? 'all' : String(events.length)),
        align: 'right',
      },
      { title: 'state', cell: (webhook) => stateText(webhook, now, colors) },
    ],
    colors,
  );
}

function stateText({ disabledAt, failingSince }: Webhook, now: number, colors: Colors): string {
  if (disabledAt !== null) return colors.red(`switched off ${relativeMoment(disabledAt, now)}`);
  return failingSince === null ? 'ok' : colors.yellow(`failing since ${relativeMoment(failingSince, now)}`);
}

export function deliveryJson(delivery: Delivery): Record<string, unknown> {
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    type: delivery.type,
    state: delivery.state,
    attempts: delivery.attempts,
    status: delivery.status,
    error: delivery.error,
    durationMs: delivery.durationMs,
    at: isoMoment(delivery.at),
    nextAttemptAt: isWaiting(delivery) ? isoMoment(Math.max(delivery.nextAt, delivery.at)) : null,
    doneAt: isoMoment(delivery.doneAt),
  };
}

/** Not finished, and its webhook is not switched off. */
function isWaiting({ state, nextAt }: Delivery): boolean {
  return state === 'pending' && nextAt < Number.MAX_SAFE_INTEGER;
}

export function deliveryTable(deliveries: readonly Delivery[], now: number, colors: Colors): string {
  return formatTable(
    deliveries,
    [
      { title: 'id', cell: ({ id }) => id },
      { title: 'event', cell: ({ type }) => type },
      { title: 'when', cell: ({ at }) => relativeMoment(at, now) },
      { title: 'state', cell: ({ state }) => state },
      { title: 'attempts', cell: ({ attempts }) => String(attempts), align: 'right' },
      { title: 'answer', cell: ({ status, error }) => error ?? String(status ?? '') },
      { title: 'ms', cell: ({ durationMs }) => String(durationMs ?? ''), align: 'right' },
    ],
    colors,
  );
}
