import { WEBHOOK_HEADERS, WEBHOOK_SECRET_PREFIX, type WebhookPayload } from '@postern/contract';

export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookRefusal = 'missing_headers' | 'too_old' | 'too_new' | 'wrong_signature' | 'malformed_body';

export type WebhookResult =
  | {
      readonly ok: true;
      /** The same for every attempt of one delivery: use it to ignore repeats. */
      readonly id: string;
      readonly payload: WebhookPayload;
    }
  | { readonly ok: false; readonly reason: WebhookRefusal };

export interface WebhookOptions {
  /** How much the delivery’s time may differ from this clock. Default: 300 seconds. */
  toleranceSeconds?: number | undefined;
  now?: (() => number) | undefined;
}

const DEFAULT_TOLERANCE_SECONDS = 300;

/** A `CryptoKey`, which neither Node’s global types nor the DOM library’s declare for all our builds. */
type HmacKey = Parameters<typeof globalThis.crypto.subtle.verify>[1];

/**
 * Checks that a delivery comes from Postern (https://www.standardwebhooks.com). `body` is the raw body, before any
 * parser. While a secret is being rotated, a delivery has two signatures, and one valid signature is enough. Throws a
 * `TypeError` when `secret` is not a webhook secret.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
  options: WebhookOptions = {},
): Promise<WebhookResult> {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError(
      'verifyWebhook needs the raw body, as text or bytes. A parser ran before: use express.raw() or, in Fastify, addContentTypeParser with parseAs: “buffer”',
    );
  }
  const key = await importSecret(secret);
  const id = headerOf(headers, WEBHOOK_HEADERS.id);
  const timestamp = headerOf(headers, WEBHOOK_HEADERS.timestamp);
  const signatures = headerOf(headers, WEBHOOK_HEADERS.signature);
  if (id === '' || signatures === '' || !/^\d{1,12}$/.test(timestamp)) return refused('missing_headers');

  const ageSeconds = (options.now ?? Date.now)() / 1_000 - Number(timestamp);
  const tolerance = options.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  if (ageSeconds > tolerance) return refused('too_old');
  if (ageSeconds < -tolerance) return refused('too_new');

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  if (!(await anyFits(key, signatures, signed))) return refused('wrong_signature');
  try {
    return { ok: true, id, payload: JSON.parse(text) as WebhookPayload };
  } catch {
    return refused('malformed_body');
  }
}

/** Web Crypto compares in constant time. */
async function anyFits(key: HmacKey, signatures: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  for (const entry of signatures.split(' ').slice(0, MAX_SIGNATURES)) {
    const bytes = entry.startsWith('v1,') ? fromBase64(entry.slice('v1,'.length)) : null;
    if (bytes !== null && (await globalThis.crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
  }
  return false;
}

/** Postern sends at most two. An attacker could send thousands. */
const MAX_SIGNATURES = 10;

async function importSecret(secret: string): Promise<HmacKey> {
  const isSecret = typeof secret === 'string' && secret.trim().startsWith(WEBHOOK_SECRET_PREFIX);
  const bytes = isSecret ? fromBase64(secret.trim().slice(WEBHOOK_SECRET_PREFIX.length)) : null;
  if (bytes === null || bytes.length === 0) {
    throw new TypeError(
      `verifyWebhook needs the webhook’s secret (${WEBHOOK_SECRET_PREFIX}…). Is the environment variable set?`,
    );
  }
  return globalThis.crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  if (typeof headers.get === 'function') return headers.get(name) ?? '';
  const plain = headers as Readonly<Record<string, string | readonly string[] | undefined>>;
  const found = Object.keys(plain).find((key) => key.toLowerCase() === name);
  const value = found === undefined ? undefined : plain[found];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w+/-]+=*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function refused(reason: WebhookRefusal): WebhookResult {
  return { ok: false, reason };
}
