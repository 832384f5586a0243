export const CLAIMS_PATH = '/v1/claims';

export const MAX_TRACES = 10;

/** Something that a person leaves besides the address, such as the fingerprint of a card. */
export interface ClaimTrace {
  /** A word of 1 to 32 characters of `a-z0-9_`. */
  kind: string;
  value: string;
}

/** The body of `POST /v1/claims`. */
export interface ClaimRequest {
  /** What is claimed, such as `trial`: a word of 1 to 32 characters of `a-z0-9_`. */
  claim: string;
  email: string;
  fingerprintHash?: string | null | undefined;
  ip?: string | null | undefined;
  traces?: readonly ClaimTrace[] | null | undefined;
  /** Your own ID of the account. The same one asking again gets its own grant again. */
  claimant?: string | null | undefined;
  /** Only says what the answer would be. */
  dryRun?: boolean | null | undefined;
}

/** Why a claim is refused. It names no person. */
export type ClaimReason = 'inbox' | 'device' | 'campaign' | `trace:${string}`;

export interface ClaimResponse {
  granted: boolean;
  /** Of the grant, or of this refusal. Empty for a dry run that would be granted. */
  id: string;
  /** Empty if it is granted. */
  because: ClaimReason[];
  /** When the grant was made that this is, or that stands in the way, ISO 8601. */
  since: string;
}

export interface ClaimsResponse {
  claims: { id: string; claim: string; since: string }[];
}
