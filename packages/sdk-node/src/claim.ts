import { isPosternError } from 'postern~sdk/core';
import { CLAIMS_PATH, type ClaimRequest, type ClaimResponse } from '@postern/contract';
import { callService, type ServiceOptions, unexpectedAnswer } from './call-service.ts';

export interface ClaimOptions extends Omit<ClaimRequest, 'claim'> {
  /** Makes a repeat of the same request safe: it gets the first answer again. */
  idempotencyKey?: string | undefined;
}

/**
 * Asks for and takes something that each person gets once, such as a trial, in one step. Rejects with a `PosternError`
 * if the service cannot tell; whether to grant it then is yours to decide.
 */
export type Claim = (claim: string, options: ClaimOptions) => Promise<ClaimResponse>;

/**
 * What the answer would be for an accepted sign-up. It takes nothing, because the account may still fail. `null` if the service cannot
 * tell in time.
 */
export async function foreseeClaim(
  options: ServiceOptions,
  claim: string,
  signUp: { readonly email: string; readonly fingerprintHash?: string },
): Promise<ClaimResponse | null> {
  try {
    return await createClaim(options)(claim, { ...signUp, dryRun: true });
  } catch (error) {
    if (isPosternError(error)) return null;
    throw error;
  }
}

/** Gives a claim back, for example when the trial was never used. */
export type ReleaseClaim = (id: string) => Promise<void>;

export function createClaim(options: ServiceOptions): Claim {
  return async (claim, { idempotencyKey, ...request }) => {
    const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
    const answer = await callService(options, CLAIMS_PATH, { body: { claim, ...request }, headers });
    const { granted, id, because, since } = answer.body ?? {};
    if (
      typeof granted !== 'boolean' ||
      typeof id !== 'string' ||
      !Array.isArray(because) ||
      typeof since !== 'string'
    )
      throw unexpectedAnswer(answer);
    return { granted, id, because, since };
  };
}

export function createReleaseClaim(options: ServiceOptions): ReleaseClaim {
  return async (id) => {
    await callService(options, `${CLAIMS_PATH}/${encodeURIComponent(id)}`, { method: 'DELETE' });
  };
}
