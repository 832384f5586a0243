import { type ApiError, apiError, type HeaderName, LIMIT_HEADERS } from '@postern/contract';
import type { ApiKey } from '../model/api-key.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import { openAnswer, sealAnswer } from '../record/sealed-answer.ts';
import type { RequestBudget } from '../store/deadline.ts';
import type { LogRow } from '../store/store.ts';
import type { ValidationRecord } from '../store/submission.ts';
import type { AnswerStore } from '../store/tables/answer-table.ts';
import type { LogStore } from '../store/tables/log-table.ts';
import type { HttpRequest, HttpResponse } from './http-message.ts';

export interface IdempotencyParts {
  readonly answers: AnswerStore;
  readonly log: Pick<LogStore, 'find'>;
  readonly keyedHash: KeyedHash;
  readonly randomBytes: (size: number) => Buffer;
  /** Requests of this process that are not counted yet: their content, by project and key. */
  readonly underWay: Map<string, string>;
}

/** The headers that are kept from the first answer. A repeat has its own request ID and CORS headers. */
const KEPT_HEADERS: readonly HeaderName[] = [...LIMIT_HEADERS, 'Content-Language', 'X-Postern-Verdict'];

/** After this long, a counted request without an answer has lost its process, and a repeat answers it. */
const ANSWERED_WITHIN_MS = 10_000;

/** What an earlier request with the same key means for this one. */
export type Earlier =
  | { readonly state: 'answered'; readonly answer: HttpResponse }
  /** It was counted, and its process ended before it answered: this request is answered from its log row. */
  | { readonly state: 'counted'; readonly logged: LogRow }
  /** `counts`: whether the refusal counts against the rate. */
  | {
      readonly state: 'refused';
      readonly error: ApiError;
      readonly counts: boolean;
      readonly retryAfter?: number;
    };

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
  /** The log row that stands for this request. */
  #counted: { readonly projectId: string; readonly keyHash: string; readonly logId: string } | undefined;
  #repeatIsNew = false;
  /** Its name in `underWay`. */
  #name: string | undefined;

  constructor(parts: IdempotencyParts, key: string, body: Buffer) {
    this.#parts = parts;
    this.#key = key;
    this.#body = body;
  }

  /**
   * What `settle` writes with the request. Client and server keys, and live and test keys, read the same body
   * differently, so none of them gets the answer of another: a page cannot answer for the backend.
   */
  hashes({ type, mode }: Pick<ApiKey, 'type' | 'mode'>): NonNullable<ValidationRecord['idempotency']> {
    return {
      keyHash: this.#parts.keyedHash('idempotency-key', `${type} ${mode} ${this.#key}`),
      requestHash: this.#parts.keyedHash('idempotent-request', this.#body.toString('base64')),
    };
  }

  /** The request that used this key before, if there is one. */
  async findEarlier(
    projectId: string,
    key: Pick<ApiKey, 'type' | 'mode'>,
    now: number,
    budget: RequestBudget,
  ): Promise<Earlier | undefined> {
    if (!/^[\x21-\x7e]{1,255}$/.test(this.#key))
      return { state: 'refused', error: apiError('IDEMPOTENCY_KEY_INVALID'), counts: true };
    const { keyHash, requestHash } = this.hashes(key);
    const { answers, log } = this.#parts;
    const earlier = await answers.find(projectId, keyHash, now, budget.begin());
    budget.end();
    if (earlier === undefined) return this.#begin(`${projectId} ${keyHash}`, requestHash);
    if (earlier.requestHash !== requestHash) return KEY_REUSED;
    if (earlier.answer !== null) return { state: 'answered', answer: this.#open(earlier.answer) };
    const leftMs = earlier.createdAt + ANSWERED_WITHIN_MS - now;
    if (leftMs > 0) return underWay(leftMs);
    const logged = await log.find(projectId, earlier.logRow);
    if (logged !== undefined) {
      this.#counted = { projectId, keyHash, logId: earlier.logRow };
      return { state: 'counted', logged };
    }
    // The row was erased or swept, so nothing is left to answer from.
    await answers.drop(projectId, keyHash, earlier.logRow);
    return undefined;
  }

  /**
   * Before requests are counted, only their own process knows of them. A request with the same key in another process runs
   * its checks too, and `settle` lets one of them count.
   */
  #begin(name: string, requestHash: string): Earlier | undefined {
    if (this.#name === name) return undefined;
    const { underWay: begun } = this.#parts;
    const other = begun.get(name);
    if (other !== undefined) return other === requestHash ? underWay(0) : KEY_REUSED;
    begun.set(name, requestHash);
    this.#name = name;
    return undefined;
  }

  /** `settle` has counted the request. */
  noteCounted(projectId: string, keyHash: string, logId: string): void {
    this.#counted = { projectId, keyHash, logId };
  }

  /** A repeat is handled like a new request, even though this one is in the log. */
  handleRepeatAsNew(): void {
    this.#repeatIsNew = true;
  }

  /**
   * Keeps the answer for repeats. If that fails, or the process ends before, a repeat is answered from the log row.
   */
  async finish(response: HttpResponse | undefined): Promise<void> {
    const counted = this.#counted;
    const { answers, underWay: begun } = this.#parts;
    try {
      if (counted === undefined) return;
      const { projectId, keyHash, logId } = counted;
      if (this.#repeatIsNew) await answers.drop(projectId, keyHash, logId);
      else if (response?.status === 200)
        await answers.keep(projectId, keyHash, logId, this.#seal(response)).catch(() => {});
    } finally {
      if (this.#name !== undefined) begun.delete(this.#name);
    }
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

const KEY_REUSED: Earlier = {
  state: 'refused',
  error: apiError('IDEMPOTENCY_KEY_REUSED'),
  counts: true,
};

/** The first request has no answer yet. Its repeat is not counted. */
export function underWay(leftMs: number): Exclude<Earlier, { readonly state: 'counted' }> {
  const retryAfter = Math.min(ANSWERED_WITHIN_MS / 1_000, Math.max(1, Math.ceil(leftMs / 1_000)));
  return { state: 'refused', error: apiError('IDEMPOTENCY_KEY_IN_USE'), counts: false, retryAfter };
}
