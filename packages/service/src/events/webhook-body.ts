import type { WebhookData, WebhookFormat, WebhookPayload } from '@postern/contract';
import type { LogRow } from '../store/store.ts';
import type { Delivery } from '../store/tables/delivery-table.ts';
import type { EventRow } from '../store/tables/event-table.ts';

/** What a delivery is about: an event’s own data, a validation’s log row, or both. */
export interface DeliveryContent {
  readonly event: EventRow | undefined;
  readonly row: LogRow | undefined;
}

/** `undefined` if the data is gone, for example because the person was erased. */
export function payloadOf(delivery: Delivery, { event, row }: DeliveryContent): WebhookPayload | undefined {
  if (event === undefined && row === undefined) return undefined;
  return {
    type: delivery.type,
    timestamp: new Date(event?.at ?? row?.at ?? delivery.at).toISOString(),
    data: {
      project: delivery.projectId,
      ...(row !== undefined && validationData(row)),
      ...event?.data,
    },
  };
}

/** Only masked values and hashes. The project can find its own user by the request ID. */
function validationData(row: LogRow): Omit<WebhookData, 'project'> {
  return {
    requestId: row.requestId,
    recommendation: row.recommendation,
    failedChecks: row.failed,
    signals: row.signals,
    address: row.maskedAddress,
    domain: row.domain,
    ip: row.maskedIp,
    person: row.inboxHash,
    device: row.deviceHash,
    keyType: row.keyType,
  };
}

/** The body in the format that the receiver wants. */
export function bodyOf(payload: WebhookPayload, format: WebhookFormat): string {
  if (format === 'slack') return JSON.stringify({ text: sentenceOf(payload) });
  if (format === 'discord')
    return JSON.stringify({ content: sentenceOf(payload), allowed_mentions: { parse: [] } });
  return JSON.stringify(payload);
}

const MAX_SUBJECT_LENGTH = 150;

/** The sentence as the subject of a mail. If it is too long, the signals are left out: the request’s ID stays whole. */
export function subjectOf(payload: WebhookPayload): string {
  const sentence = sentenceOf(payload);
  if (sentence.length <= MAX_SUBJECT_LENGTH) return sentence;
  const short = sentenceOf({ ...payload, data: { ...payload.data, signals: [] } });
  return short.length <= MAX_SUBJECT_LENGTH ? short : `${short.slice(0, MAX_SUBJECT_LENGTH - 1)}…`;
}

/** One line for a chat or for the first line of a mail. */
export function sentenceOf({ type, data }: WebhookPayload): string {
  const about = typeof data.address === 'string' ? `${data.address} ` : '';
  const signals =
    Array.isArray(data.signals) && data.signals.length > 0 ? ` (${data.signals.join(', ')})` : '';
  const request = data.requestId === undefined ? '' : `, request ${data.requestId}`;
  const message = typeof data.message === 'string' ? data.message : undefined;
  switch (type) {
    case 'validation.flagged':
      return `Postern flagged ${about}in project ${data.project}${signals}${request}`;
    case 'validation.blocked':
      return `Postern blocked ${about}in project ${data.project}${signals}${request}`;
    case 'review.decided':
      return `${about}in project ${data.project} was reviewed: ${String(data.decision)}${request}`;
    case 'campaign.detected':
      return String(data.page).startsWith('http') ? `${message} ${data.page}` : String(message);
    default:
      return message ?? `${type} in project ${data.project}`;
  }
}
