import { WEBHOOK_EVENTS, type WebhookEvent } from '@postern/contract';
import { plural } from '../../components/format.ts';
import { readSurge, type Surge } from './surge.ts';

/** An event as a sentence. */
export function eventText(type: WebhookEvent, data: Readonly<Record<string, unknown>>): string {
  if (type === 'surge.detected') return surgeText(readSurge(data));
  if (type === 'review.decided') return decisionText(data.decision);
  if (type === 'test.ping') return 'A test was sent to a webhook.';
  if (typeof data.message === 'string') return data.message;
  return WEBHOOK_EVENTS[type].when.replaceAll('`', '');
}

function surgeText({ kind, name, count, usual }: Surge): string {
  const than = `Usual for this hour: ${usual}.`;
  if (kind === 'block') return `${plural(count, 'sign-up')} blocked in one hour. ${than}`;
  if (kind === 'flag') return `${plural(count, 'sign-up')} flagged in one hour. ${than}`;
  if (kind === 'pattern')
    return `${plural(count, 'sign-up')} with the same name pattern, ${name ?? ''}, in one hour. ${than}`;
  return `${plural(count, 'sign-up')} from the ${kind} ${name ?? ''} in one hour. ${than}`;
}

function decisionText(decision: unknown): string {
  if (decision === 'passed') return 'A member took a sign-up off the review queue without a decision.';
  return `A member marked a sign-up in the review queue as ${decision === 'good' ? 'good' : 'bad'}.`;
}
