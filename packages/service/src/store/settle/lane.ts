import { bucketAt, CLOCK_SKEW_MS, resetSecond, secondsUntilLeft, WINDOW_MS } from '../rate-rules.ts';
import type { RateState } from '../submission.ts';

/**
 * Where the sliding hour of a project and key type, or of a visitor, stands. `counted` of a bucket is the sum of all
 * requests up to and including it, so the newest and the oldest bucket of the hour tell the sum of the hour.
 */
export interface LaneRow {
  readonly lane: string;
  /** Of the newest bucket. */
  readonly counted: number;
  readonly latestAt: number;
  readonly second: number;
  readonly count: number;
  /** The first bucket that has not left the hour; `null` if all have. */
  readonly oldest: { readonly second: number; readonly before: number; readonly lastAt: number } | null;
  /** If the limit is reached: `lastAt` of the bucket with which one more request will be free. */
  readonly freeingAt: number | null;
  /** If the newest bucket lies in the future, because the clock was put back: what was counted before now. */
  readonly countedBeforeNow: number | null;
}

/** The bucket of a lane after a batch. Those that left the hour are deleted, and so are later ones. */
export interface BucketChange {
  readonly lane: string;
  readonly second: number;
  readonly count: number;
  readonly lastAt: number;
  readonly counted: number;
  /** Buckets before this second have left the hour. */
  readonly goneBefore: number;
}

/** A sliding hour while a batch is counted. The requests of a batch came within a second of each other. */
export class Lane {
  readonly #lane: string;
  readonly #limit: number;
  readonly #at: number;
  readonly #second: number;
  readonly #oldestAt: number;
  readonly #oldestSecond: number;
  readonly #freeingAt: number | null;
  #counted: number;
  #latestAt: number;
  #total: number;
  /** In the bucket of `#second`. */
  #count: number;
  #isChanged = false;

  constructor(lane: string, limit: number, now: number, row: LaneRow | undefined) {
    this.#lane = lane;
    this.#limit = limit;
    const latestAt = row?.latestAt ?? 0;
    // Clocks differ a little, and time never runs backwards within a lane.
    this.#at = latestAt > now && latestAt - now <= CLOCK_SKEW_MS ? latestAt : now;
    this.#second = bucketAt(this.#at);
    this.#counted = row?.counted ?? 0;
    this.#latestAt = Math.min(latestAt, this.#at);
    this.#total = row?.oldest ? row.counted - row.oldest.before : 0;
    this.#oldestAt = Math.min(row?.oldest?.lastAt ?? this.#at, this.#at);
    this.#oldestSecond = Math.min(row?.oldest?.second ?? this.#second, this.#second);
    this.#freeingAt = row?.freeingAt ?? null;
    this.#count = row?.second === this.#second ? row.count : 0;
    if (row && row.countedBeforeNow !== null) {
      // The clock was put back. What lies in the future moves to now.
      this.#count = row.counted - row.countedBeforeNow;
      this.#isChanged = true;
    }
  }

  get hasRoom(): boolean {
    return this.#total < this.#limit;
  }

  count(): void {
    this.#total += 1;
    this.#counted += 1;
    this.#count += 1;
    this.#latestAt = this.#at;
    this.#isChanged = true;
  }

  /** As the caller of a request at `now` sees it. */
  state(now: number): RateState {
    const limit = this.#limit;
    return {
      limit,
      remaining: Math.max(0, limit - this.#total),
      resetAt: resetSecond(this.#total, this.#latestAt, now),
      retryAfter: this.#retryAfter(now),
    };
  }

  #retryAfter(now: number): number {
    if (this.#total < this.#limit) return 0;
    if (this.#limit <= 0) return WINDOW_MS / 1_000;
    return secondsUntilLeft(Math.min(this.#freeingAt ?? this.#oldestAt, this.#at), now);
  }

  change(): BucketChange | undefined {
    if (!this.#isChanged) return undefined;
    return {
      lane: this.#lane,
      second: this.#second,
      count: this.#count,
      lastAt: this.#latestAt,
      counted: this.#counted,
      goneBefore: this.#oldestSecond,
    };
  }
}
