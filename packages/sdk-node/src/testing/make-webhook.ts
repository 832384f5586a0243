import { WEBHOOK_HEADERS, WEBHOOK_SECRET_PREFIX, type WebhookPayload } from '@postern/contract';

/** A secret for tests. */
export const WEBHOOK_TEST_SECRET: string = `${WEBHOOK_SECRET_PREFIX}dGVzdC1zZWNyZXQtb2YtYS13ZWJob29r`;

export interface MadeWebhook {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A delivery as Postern sends it, signed with the secret, for your handler’s test. */
export async function makeWebhook(
  payload: Pick<WebhookPayload, 'type' | 'data'> & Partial<WebhookPayload>,
  secret: string = WEBHOOK_TEST_SECRET,
): Promise<MadeWebhook> {
  const now = new Date();
  const body = JSON.stringify({ timestamp: now.toISOString(), ...payload });
  const id = `msg_${globalThis.crypto.randomUUID()}`;
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const bytes = Uint8Array.from(atob(secret.slice(WEBHOOK_SECRET_PREFIX.length)), (char) =>
    char.charCodeAt(0),
  );
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await globalThis.crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await globalThis.crypto.subtle.sign('HMAC', key, signed));
  return {
    headers: {
      [WEBHOOK_HEADERS.id]: id,
      [WEBHOOK_HEADERS.timestamp]: timestamp,
      [WEBHOOK_HEADERS.signature]: `v1,${btoa(String.fromCharCode(...signature))}`,
    },
    body,
  };
}
