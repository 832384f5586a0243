import { type Fields, json, object, oneOf, ref, type Schema, text } from './openapi-schema.ts';
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS, WEBHOOK_HEADERS, type WebhookPayload } from './webhooks.ts';

const payloadFields: Fields<WebhookPayload> = {
  type: oneOf(WEBHOOK_EVENT_NAMES),
  timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
  data: {
    type: 'object',
    required: ['project'],
    properties: {
      project: text('The project’s ID.'),
      requestId: text('Names the validation; absent for events that are not about one.'),
    },
    additionalProperties: true,
  },
};

export const WEBHOOK_SCHEMAS: Readonly<Record<string, Schema>> = {
  WebhookPayload: object<WebhookPayload>(
    payloadFields,
    ['type', 'timestamp', 'data'],
    'The body of a delivery in the standard format. docs/webhooks.md shows the data of each event.',
  ),
};

const HEADERS: Readonly<Record<keyof typeof WEBHOOK_HEADERS, string>> = {
  id: 'Names the event; the same when it is delivered again.',
  timestamp: 'When it was sent, in seconds since 1970.',
  signature: 'Standard Webhooks signatures, separated by spaces.',
};

const parameters = Object.entries(HEADERS).map(([key, description]) => ({
  name: WEBHOOK_HEADERS[key as keyof typeof HEADERS],
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}));

/** What the service sends to the webhooks of a project, by event. */
export function webhookOperations(): Record<string, Schema> {
  return Object.fromEntries(
    WEBHOOK_EVENT_NAMES.map((name) => [
      name,
      {
        post: {
          operationId: `on_${name.replaceAll('.', '_')}`,
          tags: ['Webhooks'],
          summary: WEBHOOK_EVENTS[name].when,
          security: [],
          parameters,
          requestBody: { required: true, content: json(ref('WebhookPayload')) },
          responses: {
            '200': { description: 'Received. Any other status than 2xx is tried again for three days.' },
          },
        },
      },
    ]),
  );
}
