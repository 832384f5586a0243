/**
 * A map with a limit. When it is full it drops the entries that were not used for the longest time. `get` and `set`
 * count as use, `peek` does not.
 *
 * The map keeps two generations. When the younger one is full it becomes the older one, and the previous older one is
 * dropped as a whole. So the most recently used half of the entries is always there, and a hit in the younger
 * generation costs no write. (The usual alternative moves each used entry to the end of one Map. That leaves deleted
 * entries at its start, which V8 steps over each time the oldest entry is looked for.)
 */
export class BoundedMap<Key, Value> {
  readonly #generationWeight: number;
  readonly #weightOf: (value: Value) => number;
  #young = new Map<Key, Value>();
  #old = new Map<Key, Value>();
  #youngWeight = 0;
  #drops = 0;

  /** `weightOf` says how many entries a value counts as; without it, each counts as one. */
  constructor(capacity: number, weightOf: (value: Value) => number = () => 1) {
    this.#generationWeight = Math.max(1, Math.floor(capacity / 2));
    this.#weightOf = weightOf;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** How often entries were dropped so far. */
  get drops(): number {
    return this.#drops;
  }

  get(key: Key): Value | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  peek(key: Key): Value | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  set(key: Key, value: Value): void {
    const replaced = this.#young.get(key);
    if (replaced !== undefined) this.#youngWeight -= this.#weightOf(replaced);
    else {
      this.#old.delete(key);
      if (this.#youngWeight >= this.#generationWeight) this.dropUnused();
    }
    this.#young.set(key, value);
    this.#youngWeight += this.#weightOf(value);
  }

  delete(key: Key): void {
    const young = this.#young.get(key);
    if (young === undefined) this.#old.delete(key);
    else {
      this.#young.delete(key);
      this.#youngWeight -= this.#weightOf(young);
    }
  }

  /** Drops everything that was not used since the last time that entries were dropped. */
  dropUnused(): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngWeight = 0;
    this.#drops += 1;
  }

  clear(): void {
    this.dropUnused();
    this.#old = new Map();
  }
}
