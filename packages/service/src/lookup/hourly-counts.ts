import { HOUR_MS } from '@postern/contract';

const SLOTS_PER_HOUR = 6;
const SLOT_MS = HOUR_MS / SLOTS_PER_HOUR;
const SLOTS_PER_DAY = 24 * SLOTS_PER_HOUR;

/**
 * How often something happened over the last day: by ten minutes, and by whole hours where it is longer ago. Times in
 * which nothing happened take no room.
 */
export class HourlyCounts {
  /** Start (in slots since 1970) and count of each time, one after the other, oldest first. */
  #slots: number[] = [];

  /** How many times are kept. */
  get size(): number {
    return this.#slots.length / 2;
  }

  add(now: number): void {
    const at = Math.floor(now / SLOT_MS);
    const last = this.#slots.length - 1;
    if (this.#slots[last - 1] === at) {
      this.#slots[last] = (this.#slots[last] ?? 0) + 1;
      return;
    }
    if (last > 0) this.#slots = compacted(this.#slots, at);
    this.#slots.push(at, 1);
  }

  /** The count of the last sixty minutes, to the start of a slot. */
  lastHour(now: number): number {
    return this.#hour(Math.floor(now / SLOT_MS), 0);
  }

  /** The counts of this many hours before the last one, the newest first. */
  earlierHours(now: number, hours: number): number[] {
    const at = Math.floor(now / SLOT_MS);
    return Array.from({ length: hours }, (_, hour) => this.#hour(at, hour + 1));
  }

  #hour(at: number, hoursAgo: number): number {
    const newest = at - hoursAgo * SLOTS_PER_HOUR;
    let sum = 0;
    for (let index = 0; index < this.#slots.length; index += 2) {
      const start = this.#slots[index] ?? 0;
      if (start <= newest && start > newest - SLOTS_PER_HOUR) sum += this.#slots[index + 1] ?? 0;
    }
    return sum;
  }
}

/**
 * The slots with those of each hour that is over put together. A clock that was put back leaves slots of the future
 * behind: they say nothing about the time before, and go.
 */
function compacted(slots: readonly number[], at: number): number[] {
  const kept: number[] = [];
  for (let index = 0; index < slots.length; index += 2) {
    const start = slots[index] ?? 0;
    const count = slots[index + 1] ?? 0;
    if (start >= at || start <= at - SLOTS_PER_DAY) continue;
    const isRecent = start > at - 2 * SLOTS_PER_HOUR;
    const from = isRecent ? start : start - (start % SLOTS_PER_HOUR);
    const last = kept.length - 1;
    if (kept[last - 1] === from) kept[last] = (kept[last] ?? 0) + count;
    else kept.push(from, count);
  }
  return kept;
}
