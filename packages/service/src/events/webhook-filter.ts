import type { WebhookFilter, WebhookPayload } from '@postern/contract';

/** Whether a webhook wants the event, of those it is subscribed to. A member asked for a ping, so it is always sent. */
export function wants(filter: WebhookFilter, { type, data }: WebhookPayload): boolean {
  const { signals = [] } = filter;
  if (!type.startsWith('validation.') || signals.length === 0) return true;
  const has: readonly unknown[] = Array.isArray(data.signals) ? data.signals : [];
  return signals.some((signal) => has.includes(signal));
}
