import { isUtf8 } from 'node:buffer';
import { apiError, type ClaimResponse, type ClaimsResponse, fieldInvalid } from '@postern/contract';
import type { Limits } from '../admission/limits.ts';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import { createCheckInput } from '../checks/check-input.ts';
import { readClaim } from '../claims/read-claim.ts';
import { type ClaimParts, claimedBy, createTakeClaim, type TakeClaim } from '../claims/take-claim.ts';
import { parseEmailAddress } from '../model/parse-email-address.ts';
import { loggedDomain, maskAddress } from '../record/mask-address.ts';
import type { Store } from '../store/store.ts';
import { type BackendParts, createBackendCall } from './backend-call.ts';
import { type HttpRequest, type HttpResponse, limitHeaders, refusal } from './http-message.ts';
import type { ValidationReader } from './validation-request.ts';

export interface ClaimsParts extends ClaimParts, Omit<BackendParts, 'now' | 'store'> {
  readonly store: ClaimParts['store'] & BackendParts['store'] & Pick<Store, 'commit'>;
  readonly mailRoute: ValidationReader['mailRoute'];
  readonly onClaimed: (granted: boolean) => void;
}

export interface ClaimsHandler {
  readonly take: (request: HttpRequest) => Promise<HttpResponse>;
  readonly find: (request: HttpRequest, claimant: unknown) => Promise<HttpResponse>;
  readonly release: (request: HttpRequest, id: string) => Promise<HttpResponse>;
}

/** `/v1/claims`: what each person gets once. It uses no quota and shares the hourly rate of outcomes. */
export function createClaims(parts: ClaimsParts): ClaimsHandler {
  const call = createBackendCall(parts);
  const taking = { ...parts, takeClaim: createTakeClaim(parts) };
  const answer = (body: object, limits: Limits): HttpResponse => ({
    status: 200,
    headers: limitHeaders(limits),
    body: JSON.stringify(body),
    label: 'claim',
  });
  return {
    take: (request) => call(request, (resolved, limits) => take(taking, request, resolved, limits, answer)),
    find: (request, claimant) =>
      call(request, async ({ project }, limits) => {
        if (typeof claimant !== 'string' || claimant === '')
          return refusal(fieldInvalid('claimant', 'is required'), limits);
        const hash = parts.keyedHash('claimant', `${project.id}:${claimant}`);
        const rows = await parts.store.claims.ofClaimant(project.id, hash);
        const claims = rows.map(({ id, claim, at }) => ({ id, claim, since: new Date(at).toISOString() }));
        return answer({ claims } satisfies ClaimsResponse, limits);
      }),
    release: (request, id) =>
      call(request, async ({ project }, limits) => {
        const { claims, commit } = parts.store;
        if ((await claims.findGranted(project.id, id)) === undefined)
          return refusal(apiError('NOT_FOUND'), limits);
        await commit(claims.release(project.id, id, Math.floor(parts.now())), []);
        return answer({ id, released: true }, limits);
      }),
  };
}

async function take(
  parts: ClaimsParts & { readonly takeClaim: TakeClaim },
  request: HttpRequest,
  { key, project }: ResolvedKey,
  limits: Limits,
  answer: (body: object, limits: Limits) => HttpResponse,
): Promise<HttpResponse> {
  if (!isUtf8(request.body)) return refusal(apiError('BODY_NOT_JSON'), limits);
  const read = readClaim(request.body.toString());
  if (!read.ok) return refusal(read.error, limits);
  const address = parseEmailAddress(read.value.email);
  if (address === undefined) return refusal(apiError('EMAIL_MALFORMED'), limits);
  const idempotencyKey = request.header('idempotency-key');
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    return refusal(apiError('IDEMPOTENCY_KEY_INVALID'), limits);
  const facts = { address, ip: undefined, userAgent: undefined, project, now: parts.now() };
  const input = createCheckInput(facts, (domain) => parts.mailRoute(domain, project.id));
  const inbox = await input.inbox();
  const masked = maskAddress(address, await loggedDomain(address, input.mailRoute));
  const keyHash =
    idempotencyKey === undefined ? null : parts.keyedHash('idempotency-key', `claim ${idempotencyKey}`);
  // A test key’s claims leave no trace.
  const asked = key.mode === 'test' ? { ...read.value, dryRun: true } : read.value;
  const claimed = await claimedBy(parts, project, asked, { address, inbox, masked, keyHash });
  const { granted, id, because, since } = await parts.takeClaim(project, claimed);
  parts.onClaimed(granted);
  const body: ClaimResponse = { granted, id, because: [...because], since: new Date(since).toISOString() };
  return answer(body, limits);
}
