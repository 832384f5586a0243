import type { DeliveryView, NewWebhookView, WebhookView } from '@postern/contract/dashboard';
import { relativeMoment } from './moment.ts';
import { formatTable } from './table.ts';
import type { Colors } from './terminal.ts';

export function issuedWebhookText(webhook: NewWebhookView, colors: Colors): string {
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

export function webhookTable(webhooks: readonly WebhookView[], now: number, colors: Colors): string {
  return formatTable(
    webhooks,
    [
      { title: 'id', cell: ({ id }) => colors.bold(id) },
      { title: 'project', cell: ({ projectId }) => projectId },
      { title: 'url', cell: ({ url }) => url },
      { title: 'format', cell: ({ format }) => format },
      {
        title: 'events',
        cell: ({ events }) => String(events.length),
        align: 'right',
      },
      { title: 'state', cell: (webhook) => stateText(webhook, now, colors) },
    ],
    colors,
  );
}

function stateText({ disabledAt, failingSince }: WebhookView, now: number, colors: Colors): string {
  if (disabledAt !== null) return colors.red(`switched off ${relativeMoment(disabledAt, now)}`);
  return failingSince === null ? 'ok' : colors.yellow(`failing since ${relativeMoment(failingSince, now)}`);
}

export function deliveryTable(deliveries: readonly DeliveryView[], now: number, colors: Colors): string {
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
