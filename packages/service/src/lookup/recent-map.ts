import { DAY_MS } from '@postern/contract';
import { BoundedMap } from '../model/bounded-map.ts';

/** A bounded map that also drops, within the next day, the entries that were not used for a day. */
export class RecentMap<Value> {
  readonly #entries: BoundedMap<string, Value>;
  #droppedAt: number;

  constructor(capacity: number, now: number) {
    this.#entries = new BoundedMap(capacity);
    this.#droppedAt = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    return this.#entries.peek(key);
  }

  set(key: string, value: Value, now: number): void {
    this.forget(now);
    const { drops } = this.#entries;
    this.#entries.set(key, value);
    if (this.#entries.drops !== drops) this.#droppedAt = now;
  }

  /** The entry, made if it is missing. */
  use(key: string, now: number, make: () => Value): Value {
    this.forget(now);
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    const value = make();
    this.set(key, value, now);
    return value;
  }

  /** Drops what was not used for a day. What was used since then may stay for another day. */
  forget(now: number): void {
    if (now - this.#droppedAt < DAY_MS) return;
    if (now - this.#droppedAt >= 2 * DAY_MS) this.#entries.clear();
    else this.#entries.dropUnused();
    this.#droppedAt = now;
  }
}
