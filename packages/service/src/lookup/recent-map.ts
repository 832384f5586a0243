import { DAY_MS } from '../model/windows.ts';

/**
 * A map of at most `capacity` entries that drops the longest unused ones, and those that were not used for a day within
 * the next one. It keeps two generations and drops the older as a whole. (Moving each used entry to the
 * end of one Map leaves deleted entries to walk past when the oldest is looked for.)
 */
export class RecentMap<Value> {
  readonly #capacity: number;
  #newer = new Map<string, Value>();
  #older = new Map<string, Value>();
  #newerSince: number;

  constructor(capacity: number, now: number) {
    this.#capacity = capacity;
    this.#newerSince = now;
  }

  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  get(key: string): Value | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  /** Sets the entry, which counts as using it. */
  set(key: string, value: Value, now: number): void {
    this.forget(now);
    if (!this.#newer.has(key)) {
      this.#older.delete(key);
      if (this.#newer.size >= this.#capacity / 2) this.#dropOlder(now);
    }
    this.#newer.set(key, value);
  }

  /** Drops what was not used for a day; what was used since then may stay for another one. */
  forget(now: number): void {
    if (now - this.#newerSince >= 2 * DAY_MS) this.#newer.clear();
    if (now - this.#newerSince >= DAY_MS) this.#dropOlder(now);
  }

  #dropOlder(now: number): void {
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#newerSince = now;
  }
}
