import { createHmac } from 'node:crypto';
import { WEBHOOK_HEADERS, WEBHOOK_SECRET_PREFIX } from '@postern/contract';
import type { Webhook } from '../store/tables/webhook-table.ts';

const SECRET_BYTES = 24;
/** Each signature makes the header longer. */
const MOST_PREVIOUS = 4;

export function newWebhookSecret(randomBytes: (size: number) => Uint8Array): string {
  return WEBHOOK_SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64');
}

/** The headers of one delivery, signed with every valid secret, as https://www.standardwebhooks.com specifies. */
export function signedHeaders(
  webhook: Pick<Webhook, 'secret' | 'previousSecret' | 'previousUntil'>,
  id: string,
  body: string,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = validSecrets(webhook, now).map((secret) => `v1,${sign(secret, id, timestamp, body)}`);
  return {
    [WEBHOOK_HEADERS.id]: id,
    [WEBHOOK_HEADERS.timestamp]: timestamp,
    [WEBHOOK_HEADERS.signature]: signatures.join(' '),
  };
}

function validSecrets(
  { secret, previousSecret, previousUntil }: Pick<Webhook, 'secret' | 'previousSecret' | 'previousUntil'>,
  now: number,
): string[] {
  if (previousSecret === null || (previousUntil ?? 0) <= now) return [secret];
  return [secret, ...previousSecret.split(' ').slice(0, MOST_PREVIOUS)];
}

function sign(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice(WEBHOOK_SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}
