import { DAY_MS } from '@postern/contract';
import { BoundedMap } from '../model/bounded-map.ts';

/** A bounded map that also drops each entry that was not used for one to two days. */
export class RecentMap<Value> {
  readonly #entries: BoundedMap<string, Value>;
  /** When unused entries were last dropped. */
  #droppedAt: number;

  constructor(capacity: number, now: number) {
    this.#entries = new BoundedMap(capacity);
    this.#droppedAt = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Does not count as a use. */
  get(key: string): Value | undefined {
    return this.#entries.peek(key);
  }

  set(key: string, value: Value, now: number): void {
    this.forget(now);
    // A full map drops unused entries by itself.
    const { drops } = this.#entries;
    this.#entries.set(key, value);
    if (this.#entries.drops !== drops) this.#droppedAt = now;
  }

  /** The entry, made if it is missing. Counts as a use. */
  use(key: string, now: number, make: () => Value): Value {
    this.forget(now);
    const found = this.#entries.get(key);
    if (found !== undefined) return found;
    const value = make();
    this.set(key, value, now);
    return value;
  }

  /** Once a day, drops what was not used since the last time. */
  forget(now: number): void {
    if (now - this.#droppedAt < DAY_MS) return;
    // Every use calls this method, so after two days without a drop nothing was used within the last day.
    if (now - this.#droppedAt >= 2 * DAY_MS) this.#entries.clear();
    else this.#entries.dropUnused();
    this.#droppedAt = now;
  }
}
