import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE_MS } from '@postern/contract';
import { sameSecret } from '../model/same-secret.ts';
import { hashSecretToken, makeSecretToken } from '../model/secret-token.ts';

/** A call of a hook, as the sign-in server sent it. */
export interface HookCall {
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
  readonly now: number;
}

/** What a valid call has shown. */
export interface Proof {
  /** As it is kept. */
  readonly secret: string;
  /** The ID of the call, where the format has one. Each is answered once. */
  readonly callId?: string | undefined;
}

/** How a sign-in server proves that it calls. */
export interface ProofScheme {
  readonly makeSecret: (randomBytes: (size: number) => Uint8Array) => string;
  /** What is wrong with a secret that an operator brings. */
  readonly faultOf: (secret: string) => string | undefined;
  /** What the store has: a hash where that is enough to recognise the secret. */
  readonly keep: (secret: string) => string;
  readonly prove: (call: HookCall, kept: readonly string[]) => Proof | undefined;
}

const SECRET_BYTES = 32;
/** Clocks differ, and a call that was recorded must not be of use for long. */
const TOLERANCE_MS = 5 * MINUTE_MS;
/** While a sender rotates its secret it signs with each. */
const MOST_SIGNATURES = 8;
const MIN_LENGTH = 16;
const MAX_LENGTH = 512;

const faultOfText = (secret: string) =>
  /^[\x21-\x7e]+$/.test(secret) && secret.length >= MIN_LENGTH && secret.length <= MAX_LENGTH
    ? undefined
    : `A secret has ${MIN_LENGTH} to ${MAX_LENGTH} visible ASCII characters.`;

/** `Authorization: Bearer`. The store has a hash, so that who steals it cannot call. */
export const BEARER: ProofScheme = {
  makeSecret: (randomBytes) => makeSecretToken('pk_hook_', randomBytes),
  faultOf: faultOfText,
  keep: hashSecretToken,
  prove: ({ header }, kept) => {
    const [, token] = /^bearer\s+(\S+)$/i.exec(header('authorization')?.trim() ?? '') ?? [];
    if (token === undefined) return undefined;
    const hash = hashSecretToken(token);
    const secret = kept.find((each) => sameSecret(each, hash));
    return secret === undefined ? undefined : { secret };
  },
};

const WHSEC = /^(?:v1,)?whsec_([A-Za-z0-9+/]+=*)$/;

/** https://www.standardwebhooks.com. Some senders put a comma and a space between signatures instead of a space. */
export function standardWebhooks(prefix: string): ProofScheme {
  return {
    makeSecret: (randomBytes) => prefix + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64'),
    faultOf: (secret) =>
      WHSEC.test(secret) && secret.length <= MAX_LENGTH
        ? undefined
        : `A secret is ${prefix} and then base64, as the sign-in server shows it.`,
    keep: (secret) => secret,
    prove: ({ header, body, now }, kept) => {
      const callId = header('webhook-id');
      const sentAt = header('webhook-timestamp') ?? '';
      if (callId === undefined || callId === '' || !isRecent(sentAt, 1_000, now)) return undefined;
      const given = [...(header('webhook-signature') ?? '').matchAll(/v1,([A-Za-z0-9+/]+=*)/g)];
      const signatures = given.slice(0, MOST_SIGNATURES).map(([, text = '']) => Buffer.from(text, 'base64'));
      const secret = kept.find((each) => {
        const key = Buffer.from(WHSEC.exec(each)?.[1] ?? '', 'base64');
        return isSigned(signatures, key, `${callId}.${sentAt}.`, body);
      });
      return secret === undefined ? undefined : { secret, callId };
    },
  };
}

/** `t=…,v1=…` in a header of the sender’s own: HMAC-SHA256 in hex of the time, a dot and the body. */
export function timedSignature(name: string, unitMs: number): ProofScheme {
  return {
    makeSecret: (randomBytes) => Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url'),
    faultOf: faultOfText,
    keep: (secret) => secret,
    prove: ({ header, body, now }, kept) => {
      const parts = (header(name) ?? '').split(',').map((part) => part.trim());
      const valuesOf = (start: string) =>
        parts.filter((part) => part.startsWith(start)).map((part) => part.slice(start.length));
      const [sentAt = ''] = valuesOf('t=');
      if (!isRecent(sentAt, unitMs, now)) return undefined;
      const signatures = valuesOf('v1=')
        .slice(0, MOST_SIGNATURES)
        .map((text) => Buffer.from(text, 'hex'));
      const secret = kept.find((each) => isSigned(signatures, each, `${sentAt}.`, body));
      return secret === undefined ? undefined : { secret };
    },
  };
}

function isRecent(written: string, unitMs: number, now: number): boolean {
  return /^\d{1,15}$/.test(written) && Math.abs(Number(written) * unitMs - now) <= TOLERANCE_MS;
}

function isSigned(signatures: readonly Buffer[], key: string | Buffer, start: string, body: Buffer): boolean {
  const expected = createHmac('sha256', key).update(start).update(body).digest();
  return signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
}
