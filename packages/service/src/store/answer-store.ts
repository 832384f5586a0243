/** A request with an `Idempotency-Key`; the hashes are keyed, the token is random. */
export interface AnswerClaim {
  readonly keyHash: string;
  readonly requestHash: string;
  readonly token: string;
  readonly now: number;
}

/** A claim that the store has granted. */
export interface HeldClaim {
  readonly keyHash: string;
  readonly token: string;
  /** The ID of the log row that `settle` writes for the request. */
  readonly logId: string;
}

export type ClaimResult =
  /** Answer the request, then call `keep` or `release` with this claim. */
  | {
      readonly state: 'claimed';
      readonly claim: HeldClaim;
      /** Whether the log already has that row: a process counted the request and ended before it kept the answer. */
      readonly counted: boolean;
    }
  | { readonly state: 'answered'; readonly answer: string }
  /** The key was used with a different request before. */
  | { readonly state: 'other-request' }
  /** The first request has no answer yet; `retryAfter` is in seconds. */
  | { readonly state: 'under-way'; readonly retryAfter: number };

/**
 * Answers that are kept for 24 hours, so that a repeated request gets the first answer and is not counted again. A
 * claim decides the ID of the log row that `settle` writes in the transaction that counts the request. So the row
 * tells whether a request was counted whose process ended before it kept the answer.
 *
 * If `settle` fails, the store ends the claim of its submission itself, as soon as nothing of the request is counted
 * any more. Until then a repeat would count it a second time.
 */
export interface AnswerStore {
  claim(projectId: string, claim: AnswerClaim, timeoutMs?: number): Promise<ClaimResult>;
  /** Keeps the answer, unless the claim has ended and another request holds the key. */
  keep(projectId: string, claim: HeldClaim, answer: string): Promise<void>;
  /**
   * Ends the claim without an answer. If the request is counted, by this process or by one that died, the claim stays
   * until a repeat takes it over; the repeat does not count again.
   */
  release(projectId: string, claim: HeldClaim): Promise<void>;
  /**
   * Ends the claim although the log may have the request’s row: its quota was given back, or a test address simulated a
   * limit. Its repeat is handled like a new request.
   */
  drop(projectId: string, claim: HeldClaim): Promise<void>;
}
