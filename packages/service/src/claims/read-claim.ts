import {
  apiError,
  type ClaimRequest,
  fieldInvalid,
  MAX_FINGERPRINT_LENGTH,
  MAX_TRACES,
  type Read,
  readBody,
} from '@postern/contract';
import * as z from 'zod';
import { parseWrittenIp } from '../model/written-ip.ts';

const text = (most: number) => z.string('must be a string').max(most, `must be at most ${most} characters`);
const optional = (schema: z.ZodString) => schema.nullish().transform((value) => value || undefined);
const WORD_RULE = 'must be 1 to 32 of the characters a to z, 0 to 9 and _';
const word = z.string(WORD_RULE).regex(/^[a-z0-9_]{1,32}$/, WORD_RULE);
const TRACE_RULE = 'must be a string of 1 to 1024 characters';
const TRACES_RULE = `must be a list of at most ${MAX_TRACES} traces`;
const Trace = z.object(
  { kind: word, value: z.string(TRACE_RULE).max(1_024, TRACE_RULE).trim().min(1, TRACE_RULE) },
  'must be an object',
);

/** The messages are the API’s own. Unknown fields are ignored. */
const Claim = z.object({
  claim: word,
  email: z.string().trim().min(1),
  fingerprintHash: optional(text(MAX_FINGERPRINT_LENGTH)),
  ip: optional(
    text(100).refine((ip) => ip === '' || parseWrittenIp(ip) !== undefined, 'must be an IP address'),
  ),
  /** Your own ID of the account. */
  claimant: optional(text(256)),
  dryRun: z
    .boolean('must be true or false')
    .nullish()
    .transform((value) => value ?? false),
  traces: z
    .array(Trace, TRACES_RULE)
    .max(MAX_TRACES, TRACES_RULE)
    .nullish()
    .transform((value) => value ?? []),
}) satisfies z.ZodType<unknown, ClaimRequest>;

/** A claim after it was read. */
export type ReadClaim = z.output<typeof Claim>;

/** Reads the body of `POST /v1/claims`, or answers the first fault. */
export function readClaim(body: string): Read<ReadClaim> {
  const object = readBody(body);
  if (!object.ok) return object;
  const read = Claim.safeParse(object.value);
  const [issue] = read.error?.issues ?? [];
  if (read.data !== undefined) return { ok: true, value: read.data };
  if (issue === undefined || issue.path[0] === 'email')
    return { ok: false, error: apiError('EMAIL_REQUIRED') };
  const field = issue.path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return { ok: false, error: fieldInvalid(field.slice(1), issue.message) };
}
