import { VERDICT_TYPE, type VerdictClaims } from '@postern/contract';
import { fromBase64url } from './base64url.ts';

export interface VerdictToken {
  readonly kid: string;
  readonly claims: VerdictClaims;
  /** The signed part: header and payload as they were sent. */
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

const MAX_TOKEN_LENGTH = 8_192;
const ED25519_SIGNATURE_BYTES = 64;

/** Reads a verdict without verifying it. */
export function readVerdictToken(token: unknown): VerdictToken | 'malformed' | 'unsupported' {
  const read = readJws(token, VERDICT_TYPE);
  if (typeof read === 'string') return read;
  const { claims, ...rest } = read;
  return isVerdictClaims(claims) ? { ...rest, claims } : 'malformed';
}

export interface Jws {
  readonly kid: string;
  readonly claims: JsonObject;
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/**
 * Reads a compact JWS. Algorithm and type are fixed here and not chosen by the token (RFC 8725 sections 3.1 and 3.11):
 * anything but EdDSA and the wanted type is `unsupported`.
 */
export function readJws(token: unknown, type: string): Jws | 'malformed' | 'unsupported' {
  if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH) return 'malformed';
  const parts = token.split('.');
  const [headerText, payloadText, signatureText] = parts;
  if (parts.length !== 3 || !headerText || !payloadText || !signatureText) return 'malformed';
  const header = jsonObject(headerText);
  const signature = fromBase64url(signatureText);
  if (header === null || signature === null) return 'malformed';
  if (header.alg !== 'EdDSA' || header.typ !== type || 'crit' in header) return 'unsupported';
  const claims = jsonObject(payloadText);
  if (typeof header.kid !== 'string' || claims === null) return 'malformed';
  if (signature.length !== ED25519_SIGNATURE_BYTES) return 'malformed';
  const signed = new TextEncoder().encode(`${headerText}.${payloadText}`);
  return { kid: header.kid, claims, signed, signature };
}

type JsonObject = Record<string, unknown>;

function jsonObject(text: string): JsonObject | null {
  const decoded = fromBase64url(text);
  if (decoded === null) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(decoded));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

function isVerdictClaims(payload: JsonObject): payload is JsonObject & VerdictClaims {
  const { iss, aud, sub, jti, iat, exp, recommendation, signals, mode, checks, without } = payload;
  return (
    iss === 'postern' &&
    [aud, sub, jti, payload.requestId].every((claim) => typeof claim === 'string' && claim !== '') &&
    Number.isSafeInteger(iat) &&
    Number.isSafeInteger(exp) &&
    (recommendation === 'allow' || recommendation === 'flag' || recommendation === 'block') &&
    isNames(signals) &&
    isNames(checks) &&
    (without === undefined || isNames(without)) &&
    (mode === 'live' || mode === 'test')
  );
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
