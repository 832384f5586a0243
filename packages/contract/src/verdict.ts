import type { StepUpKind } from './challenges.ts';
import type { CheckName, Recommendation } from './checks.ts';
import type { Signal } from './signals.ts';

/** The claims of `X-Postern-Verdict`: a compact JWS signed with EdDSA (Ed25519). */
export interface VerdictClaims {
  iss: 'postern';
  /** The project. */
  aud: string;
  /** `emailHash()` of the normalised address. */
  sub: string;
  /** Unique for each answer; a backend accepts each once. */
  jti: string;
  /** `X-Request-Id` of the request. The caller may have chosen it, so it is not unique. */
  requestId: string;
  /** Issued and expires, Unix seconds. */
  iat: number;
  exp: number;
  recommendation: Recommendation;
  signals: Signal[];
  /** `test` for a sandbox key’s verdict; a backend refuses it in production. */
  mode: 'live' | 'test';
  /** The checks that ran. */
  checks: CheckName[];
  /** What the person was doing; see `REQUEST_EVENTS`. */
  event: string;
  /**
   * Only when the request’s own `validations` ran fewer or weaker checks than the project’s policy has. A page can
   * ask for that, so a backend does not take such a verdict for the project’s word.
   */
  weakened?: true;
  /**
   * Only when checks of the project’s policy did not run because the request lacked their input, such as `device`
   * without a fingerprint. A page can leave an input out, so a backend can require checks.
   */
  without?: CheckName[];
  /** Only where the project’s `refusal` is `quiet`: `signals` is empty, because the page can read the verdict. */
  quiet?: true;
  /** Only of the second verdict of a flagged person: what the person did. */
  steppedUp?: StepUpKind;
  /** Only for a client key: fingerprint, address and user agent of the page, which only the service can read. */
  page?: string;
}

export const VERDICT_TYPE = 'postern-verdict+jwt';
export const VERDICT_LIFETIME_SECONDS = 600;

/** One public key as `/.well-known/jwks.json` publishes it (RFC 8037). */
export interface VerdictKey {
  kty: 'OKP';
  crv: 'Ed25519';
  alg: 'EdDSA';
  use: 'sig';
  kid: string;
  x: string;
}

export interface VerdictKeySet {
  keys: VerdictKey[];
}
