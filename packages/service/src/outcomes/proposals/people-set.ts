/** A set of people by their place in a list, as bits, so that many pairs of conditions are compared quickly. */
export class PeopleSet {
  readonly #words: Uint32Array;

  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32));
  }

  add(index: number): void {
    this.#words[index >>> 5] = (this.#words[index >>> 5] ?? 0) | (1 << (index & 31));
  }

  and(other: PeopleSet): PeopleSet {
    const both = new PeopleSet(this.#words.length * 32);
    for (let word = 0; word < this.#words.length; word += 1)
      both.#words[word] = (this.#words[word] ?? 0) & (other.#words[word] ?? 0);
    return both;
  }

  count(): number {
    return this.countUpTo(this.#words.length * 32);
  }

  /** Those before this place. */
  countUpTo(end: number): number {
    let count = 0;
    for (let word = 0; word < end >>> 5; word += 1) count += onesIn(this.#words[word] ?? 0);
    const rest = end & 31;
    return rest === 0 ? count : count + onesIn((this.#words[end >>> 5] ?? 0) & ((1 << rest) - 1));
  }

  /** Those from this place on. */
  countFrom(start: number): number {
    return this.count() - this.countUpTo(start);
  }

  /** Equal for equal sets. */
  key(): string {
    return this.#words.join();
  }
}

/** How many bits are set (Warren, “Hacker’s Delight”, section 5-1). */
function onesIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((fours + (fours >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
