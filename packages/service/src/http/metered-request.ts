import { type ApiError, quotaExceeded, rateLimited } from '@postern/contract';
import {
  type Counted,
  type Limits,
  limitRefusal,
  limitsOf,
  type NearLimitTracker,
} from '../admission/limits.ts';
import type { ResolvedKey } from '../admission/resolved-key.ts';
import { monthOf } from '../model/windows.ts';
import type { RequestBudget } from '../store/deadline.ts';
import type { Store, Submission, ValidationRecord, Visitor } from '../store/store.ts';
import type { Validated } from '../store/submission.ts';
import type { IdempotentRequest } from './idempotent-request.ts';

/** The result of counting one request. */
export interface Count {
  readonly settlement: Counted;
  readonly limits: Limits;
  /** The 429 or 402 if a limit is exceeded. */
  readonly refused: ApiError | undefined;
}

/** What a request keeps when it is retried: its time, its time budget and the lane that counted it. */
export interface RequestState {
  readonly now: number;
  readonly budget: RequestBudget;
  /** Absent if there is no Idempotency-Key. */
  readonly idempotent: IdempotentRequest | undefined;
  countedIn: string | undefined;
}

export interface MeteredParts {
  readonly store: Pick<Store, 'settle' | 'refund'>;
  readonly nearLimit: NearLimitTracker;
}

interface Admitted {
  readonly resolved: ResolvedKey;
  readonly visitors: readonly Visitor[];
  /** Counts in an hour of its own instead of the key’s. */
  readonly lane?: Submission['lane'];
  readonly state: RequestState;
}

/** An admitted request and its counters. It counts against the rate once, even if it is settled several times. */
export class MeteredRequest {
  readonly resolved: ResolvedKey;
  readonly #state: RequestState;
  readonly #store: Pick<Store, 'settle' | 'refund'>;
  readonly #nearLimit: NearLimitTracker;
  readonly #visitors: readonly Visitor[];
  readonly #lane: Submission['lane'];
  /** The name of the lane that counts this request. */
  readonly #laneName: string;

  constructor({ store, nearLimit }: MeteredParts, { resolved, visitors, lane, state }: Admitted) {
    this.resolved = resolved;
    this.#visitors = visitors;
    this.#lane = lane;
    this.#laneName = lane === undefined ? resolved.lane : `${resolved.lane} ${lane}`;
    this.#state = state;
    this.#store = store;
    this.#nearLimit = nearLimit;
  }

  get now(): number {
    return this.#state.now;
  }

  get isTest(): boolean {
    return this.resolved.key.mode === 'test';
  }

  /** Whether a limit was close lately. If so, the request is counted before the checks run. */
  get isNearLimit(): boolean {
    if (this.#visitors.some(({ hash }) => this.#nearLimit.isLimited(hash))) return true;
    return this.#nearLimit.isNear(this.#laneName);
  }

  /** Whether the visitor’s own limit will certainly refuse the request. */
  get visitorMustWait(): boolean {
    return this.#visitors.some(({ hash }) => this.#nearLimit.mustWait(hash, this.now));
  }

  /** Counts against the rate only, and finds out whether the quota would admit a validation. */
  async countRate(): Promise<Count | 'stale'> {
    const count = await this.settle(null);
    if (count === 'stale' || count.refused !== undefined || this.isTest || count.limits.quota.remaining > 0) {
      return count;
    }
    return { ...count, refused: quotaExceeded(count.limits.quota) };
  }

  /** The current limits, without counting. */
  readLimits(): Promise<Count | 'stale'> {
    return this.#settle(null, false);
  }

  /** The current limits for a request that was counted before, with what was decided about it. */
  async asCountedBefore(validated: Validated): Promise<Count | 'stale'> {
    const count = await this.readLimits();
    if (count === 'stale') return count;
    const { rate, quota } = count.settlement;
    return { ...count, settlement: { result: 'admitted', rate, quota, validated } };
  }

  /**
   * Counts what is not counted yet, and stores the record if all limits admit it. `pretend` simulates a reached limit
   * for a test key.
   */
  settle(
    validation: ValidationRecord | null,
    pretend?: 'quota' | 'rate' | undefined,
  ): Promise<Count | 'stale'> {
    return this.#settle(validation, this.#state.countedIn !== this.#laneName, pretend);
  }

  async #settle(
    validation: ValidationRecord | null,
    countRate: boolean,
    pretend?: 'quota' | 'rate' | undefined,
  ): Promise<Count | 'stale'> {
    const { key, project, rateLimit, quotaLimit, wholeQuota } = this.resolved;
    const { budget, idempotent } = this.#state;
    const timeoutMs = budget.begin();
    const submission = {
      projectId: project.id,
      keyId: key.id,
      projectVersion: project.version,
      keyVersion: key.version,
      keyType: key.type,
      mode: key.mode,
      lane: this.#lane,
      now: this.now,
      rateLimit,
      visitors: this.#visitors,
      countRate,
      quotaLimit,
      wholeQuota,
      month: monthOf(this.now),
      validation,
    };
    const settlement = await this.#store.settle(submission, timeoutMs);
    budget.end();
    if (settlement.result === 'admitted' && settlement.validated && validation?.idempotency)
      idempotent?.noteCounted(project.id, validation.idempotency.keyHash, settlement.validated.logId);
    if (settlement.result === 'stale') return 'stale';
    const byVisitor = settlement.result === 'rate-limited' && settlement.by === 'visitor';
    if (countRate && settlement.result !== 'rate-limited') this.#state.countedIn = this.#laneName;
    if (countRate) {
      const reached = byVisitor ? settlement.rate : undefined;
      for (const { hash, limit } of this.#visitors) {
        // Each of the visitor’s networks has a limit of its own size, so the limit says which of them refused.
        const until = limit === reached?.limit ? this.now + reached.retryAfter * 1_000 : undefined;
        this.#nearLimit.noteVisitor(hash, until);
      }
    }
    const limits = limitsOf(settlement, this.resolved, this.now);
    if (!byVisitor) this.#nearLimit.note(this.#laneName, limits);
    const refused = limitRefusal(settlement, limits);
    if (refused !== undefined || pretend === undefined) return { settlement, limits, refused };
    return { settlement, ...simulatedLimit(pretend, limits) };
  }

  /** Gives the quota back if the answer cannot be produced after counting. Returns the updated limits. */
  async refund(limits: Limits): Promise<Limits> {
    if (this.isTest) return limits;
    await this.#state.budget.waitAtMost(this.#store.refund(this.resolved.project.id, monthOf(this.now)));
    const { limit, used } = limits.quota;
    const quota = { ...limits.quota, used: used - 1, remaining: Math.max(0, limit - used + 1) };
    return { ...limits, quota };
  }
}

/** The error as it would be at the limit, in body and headers, even if the project is far from it. */
function simulatedLimit(limit: 'quota' | 'rate', limits: Limits): Pick<Count, 'limits' | 'refused'> {
  if (limit === 'rate') {
    const rate = { ...limits.rate, remaining: 0, retryAfter: 1 };
    return { limits: { ...limits, rate }, refused: rateLimited(rate.limit, rate.retryAfter) };
  }
  const quota = { ...limits.quota, used: limits.quota.limit, remaining: 0 };
  return { limits: { ...limits, quota }, refused: quotaExceeded(quota) };
}
