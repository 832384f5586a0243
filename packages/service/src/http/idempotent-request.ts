import { type ApiError, apiError, type HeaderName, LIMIT_HEADERS } from '@postern/contract';
import type { ApiKey } from '../model/api-key.ts';
import type { KeyedHash } from '../record/keyed-hash.ts';
import { openAnswer, sealAnswer } from '../record/sealed-answer.ts';
import type { RequestBudget } from '../store/deadline.ts';
import type { LogRow } from '../store/store.ts';
import type { AnswerStore, HeldClaim } from '../store/tables/answer-table.ts';
import type { LogStore } from '../store/tables/log-table.ts';
import type { HttpRequest, HttpResponse } from './http-message.ts';

export interface IdempotencyParts {
  readonly answers: AnswerStore;
  readonly log: Pick<LogStore, 'find'>;
  readonly keyedHash: KeyedHash;
  readonly randomBytes: (size: number) => Buffer;
}

/** The headers that are kept from the first answer. A repeat has its own request ID and CORS headers. */
const KEPT_HEADERS: readonly HeaderName[] = [...LIMIT_HEADERS, 'Content-Language', 'X-Postern-Verdict'];

export type Claim =
  /** The first request with its key: handle it. */
  | { readonly claimed: true }
  | { readonly claimed: false; readonly answer: HttpResponse }
  /**
   * `counts`: whether the refusal counts against the rate. A repeat that arrives while the first is in progress is
   * already counted.
   */
  | {
      readonly claimed: false;
      readonly refused: ApiError;
      readonly counts: boolean;
      readonly retryAfter?: number;
    };

const CLAIMED: Claim = { claimed: true };

/** A request with an `Idempotency-Key`. `undefined` if the request has none, at no cost. */
export function idempotentRequest(
  parts: IdempotencyParts,
  incoming: HttpRequest,
): IdempotentRequest | undefined {
  const key = incoming.header('idempotency-key');
  return key === undefined ? undefined : new IdempotentRequest(parts, key, incoming.body);
}

/** Only a 200 is kept. Refused requests used no quota, so a repeat is handled again. */
export class IdempotentRequest {
  readonly #parts: IdempotencyParts;
  readonly #key: string;
  readonly #body: Buffer;
  #projectId: string | undefined;
  #held: HeldClaim | undefined;
  #storeEndsClaim = false;
  #repeatIsNew = false;
  #logged: LogRow | undefined;

  constructor(parts: IdempotencyParts, key: string, body: Buffer) {
    this.#parts = parts;
    this.#key = key;
    this.#body = body;
  }

  /**
   * The claim, for `settle`. From now on the store ends it if the request is not counted, because only the store learns
   * that: it may count a request after its caller was refused.
   */
  passClaimToStore(): HeldClaim | undefined {
    this.#storeEndsClaim = this.#held !== undefined;
    return this.#held;
  }

  /** `settle` has succeeded. */
  claimReturned(): void {
    this.#storeEndsClaim = false;
  }

  /** A repeat is handled like a new request, even if this one is in the log. */
  letRepeatBeNew(): void {
    this.#repeatIsNew = true;
  }

  /** The log row of the same request if a process counted it and ended before it kept the answer. */
  get logged(): LogRow | undefined {
    return this.#logged;
  }

  /**
   * A request that is retried keeps its claim. Client and server keys, and live and test keys, read the same body
   * differently, so none of them gets the answer of another: a page cannot answer for the backend.
   */
  async claim(
    projectId: string,
    { type, mode }: Pick<ApiKey, 'type' | 'mode'>,
    now: number,
    budget: RequestBudget,
  ): Promise<Claim> {
    if (!/^[\x21-\x7e]{1,255}$/.test(this.#key)) {
      return { claimed: false, refused: apiError('IDEMPOTENCY_KEY_INVALID'), counts: true };
    }
    if (this.#projectId === projectId) return CLAIMED;
    const keyHash = this.#parts.keyedHash('idempotency-key', `${type} ${mode} ${this.#key}`);
    const requestHash = this.#parts.keyedHash('idempotent-request', this.#body.toString('base64'));
    const token = this.#parts.randomBytes(12).toString('base64url');
    const claim = { keyHash, requestHash, token, now };
    const result = await this.#parts.answers.claim(projectId, claim, budget.begin());
    budget.end();
    switch (result.state) {
      case 'claimed':
        this.#projectId = projectId;
        this.#held = result.claim;
        if (result.counted) this.#logged = await this.#parts.log.find(projectId, result.claim.logId);
        return CLAIMED;
      case 'answered':
        return { claimed: false, answer: this.#open(result.answer) };
      case 'other-request':
        return { claimed: false, refused: apiError('IDEMPOTENCY_KEY_REUSED'), counts: true };
      case 'under-way': {
        const { retryAfter } = result;
        return { claimed: false, refused: apiError('IDEMPOTENCY_KEY_IN_USE'), counts: false, retryAfter };
      }
    }
  }

  /**
   * Keeps the answer for repeats, or ends the claim. Without an answer the request ends in a 500 or 503.
   */
  async finish(response: HttpResponse | undefined): Promise<void> {
    const projectId = this.#projectId;
    const claim = this.#held;
    if (projectId === undefined || claim === undefined || this.#storeEndsClaim) return;
    const { answers } = this.#parts;
    if (response?.status === 200) await answers.keep(projectId, claim, this.#seal(response));
    else if (this.#repeatIsNew) await answers.drop(projectId, claim);
    else await answers.release(projectId, claim);
  }

  #seal({ headers, body, label }: HttpResponse): string {
    const kept = KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
    const text = JSON.stringify([label, Object.fromEntries(kept), body]);
    return sealAnswer(text, { idempotencyKey: this.#key, body: this.#body }, this.#parts.randomBytes);
  }

  #open(sealed: string): HttpResponse {
    const text = openAnswer(sealed, { idempotencyKey: this.#key, body: this.#body });
    const [label, headers, body] = JSON.parse(text) as [string, Record<string, string>, string];
    return { status: 200, headers: { ...headers, 'Idempotency-Replayed': 'true' }, body, label };
  }
}
