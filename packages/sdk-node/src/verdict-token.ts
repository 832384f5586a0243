import { VERDICT_TYPE, type VerdictClaims } from '@postern/contract';

export interface VerdictToken {
  readonly kid: string;
  readonly claims: VerdictClaims;
  /** What the signature is over: header and payload as they were sent. */
  readonly signed: Buffer;
  readonly signature: Buffer;
}

const MAX_TOKEN_LENGTH = 8_192;
const ED25519_SIGNATURE_BYTES = 64;

/**
 * Reads a compact JWS without believing it. Algorithm and type are settled here and not by the token
 * (RFC 8725 sections 3.1 and 3.11): anything but EdDSA and a verdict is `unsupported`.
 */
export function readVerdictToken(token: unknown): VerdictToken | 'malformed' | 'unsupported' {
  if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH) return 'malformed';
  const parts = token.split('.');
  const [headerText, payloadText, signatureText] = parts;
  if (parts.length !== 3 || !headerText || !payloadText || !signatureText) return 'malformed';
  const header = jsonObject(headerText);
  const signature = bytes(signatureText);
  if (header === null || signature === null) return 'malformed';
  if (header.alg !== 'EdDSA' || header.typ !== VERDICT_TYPE || 'crit' in header) return 'unsupported';
  const payload = jsonObject(payloadText);
  if (typeof header.kid !== 'string' || payload === null || !isVerdictClaims(payload)) return 'malformed';
  if (signature.length !== ED25519_SIGNATURE_BYTES) return 'malformed';
  return {
    kid: header.kid,
    claims: payload,
    signed: Buffer.from(`${headerText}.${payloadText}`, 'ascii'),
    signature,
  };
}

type JsonObject = Record<string, unknown>;

function jsonObject(text: string): JsonObject | null {
  const decoded = bytes(text);
  if (decoded === null) return null;
  try {
    const value: unknown = JSON.parse(decoded.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}

/** Node’s decoder overlooks what is no base64url; the signature must not depend on that. */
function bytes(text: string): Buffer | null {
  return /^[\w-]+$/.test(text) ? Buffer.from(text, 'base64url') : null;
}

function isVerdictClaims(payload: JsonObject): payload is JsonObject & VerdictClaims {
  const { iss, aud, sub, jti, iat, exp, recommendation, signals, mode } = payload;
  return (
    iss === 'postern' &&
    [aud, sub, jti].every((claim) => typeof claim === 'string' && claim !== '') &&
    Number.isSafeInteger(iat) &&
    Number.isSafeInteger(exp) &&
    (recommendation === 'allow' || recommendation === 'flag' || recommendation === 'block') &&
    Array.isArray(signals) &&
    signals.every((signal) => typeof signal === 'string') &&
    (mode === 'live' || mode === 'test')
  );
}
