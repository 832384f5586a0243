import { refusedField } from './errors.ts';
import { MAX_FINGERPRINT_LENGTH, type Read, readBody, readEmail } from './validate-request.ts';

export const CLAIMS_PATH = '/v1/claims';

export const MAX_TRACES = 10;
const MAX_TRACE_LENGTH = 1_024;
const MAX_CLAIMANT_LENGTH = 256;

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

/** A claim after it was read. */
export interface ReadClaim {
  readonly claim: string;
  readonly email: string;
  readonly fingerprintHash?: string;
  readonly ip?: string;
  readonly traces: readonly ClaimTrace[];
  readonly claimant?: string;
  readonly dryRun: boolean;
}

const WORD = /^[a-z0-9_]{1,32}$/;
const WORD_RULE = 'must be 1 to 32 of the characters a to z, 0 to 9 and _';

export function readClaim(text: string, isIpAddress: (text: string) => boolean): Read<ReadClaim> {
  const body = readBody(text);
  if (!body.ok) return body;
  const own = (name: string): unknown => (Object.hasOwn(body.value, name) ? body.value[name] : undefined);
  const claim = own('claim');
  if (typeof claim !== 'string' || !WORD.test(claim)) return refusedField('claim', WORD_RULE);
  const email = readEmail(body.value);
  if (!email.ok) return email;
  const texts: { fingerprintHash?: string; ip?: string; claimant?: string } = {};
  for (const [name, most] of [
    ['fingerprintHash', MAX_FINGERPRINT_LENGTH],
    ['ip', 100],
    ['claimant', MAX_CLAIMANT_LENGTH],
  ] as const) {
    const value = own(name);
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') return refusedField(name, 'must be a string');
    if (value.length > most) return refusedField(name, `must be at most ${most} characters`);
    if (name === 'ip' && !isIpAddress(value)) return refusedField(name, 'must be an IP address');
    texts[name] = value;
  }
  const dryRun = own('dryRun') ?? false;
  if (typeof dryRun !== 'boolean') return refusedField('dryRun', 'must be true or false');
  const traces = readTraces(own('traces') ?? []);
  if (!traces.ok) return traces;
  return { ok: true, value: { claim, email: email.value, ...texts, traces: traces.value, dryRun } };
}

function readTraces(value: unknown): Read<ClaimTrace[]> {
  if (!Array.isArray(value) || value.length > MAX_TRACES)
    return refusedField('traces', `must be a list of at most ${MAX_TRACES} traces`);
  const traces: ClaimTrace[] = [];
  for (const [index, item] of value.entries()) {
    const name = `traces[${index}]`;
    if (typeof item !== 'object' || item === null) return refusedField(name, 'must be an object');
    const { kind, value: trace } = item as Readonly<Record<string, unknown>>;
    if (typeof kind !== 'string' || !WORD.test(kind)) return refusedField(`${name}.kind`, WORD_RULE);
    if (typeof trace !== 'string' || trace.trim() === '' || trace.length > MAX_TRACE_LENGTH)
      return refusedField(`${name}.value`, `must be a string of 1 to ${MAX_TRACE_LENGTH} characters`);
    traces.push({ kind, value: trace.trim() });
  }
  return { ok: true, value: traces };
}
