import { DAY_MS, HOUR_MS } from '@postern/contract';
import { BoundedMap } from '../model/bounded-map.ts';
import { HourlyCounts } from './hourly-counts.ts';

/** A bounded map that also drops each entry that was not used for one to two days. */
class RecentMap<Value> {
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

/** The most that is kept of one project. */
export interface ProjectBounds {
  readonly inboxes: number;
  readonly counts: number;
  readonly domains: number;
  readonly namesOfDomain: number;
}

interface Seen {
  readonly firstAt: number;
  readonly lastAt: number;
}

/** An address that was tried and not blocked. */
export interface Attempt {
  readonly inbox: string;
  readonly beginning: string;
  readonly at: number;
}

const VISIT_MS = HOUR_MS / 2;
/** Of one visit. A person who tries more addresses has not mistyped them. */
const MAX_ATTEMPTS = 8;

/** What one project saw within a day: its inboxes, counts under any keys, and names under domains. */
export class ProjectActivity {
  /** When counting began. */
  readonly since: number;
  lastAt: number;
  /** All new inboxes. */
  readonly inboxes = new HourlyCounts();
  readonly #bounds: ProjectBounds;
  /** When each inbox was last seen. */
  readonly #lastSeen: RecentMap<number>;
  readonly #counts: RecentMap<HourlyCounts>;
  /** Counts of single networks under a key, which would push out the counts that they limit. */
  readonly #shares: RecentMap<HourlyCounts>;
  readonly #domains: RecentMap<Map<string, Seen>>;
  readonly #visits: RecentMap<readonly Attempt[]>;

  constructor(now: number, bounds: ProjectBounds) {
    this.since = now;
    this.lastAt = now;
    this.#bounds = bounds;
    this.#lastSeen = new RecentMap(bounds.inboxes, now);
    this.#counts = new RecentMap(bounds.counts, now);
    this.#shares = new RecentMap(bounds.counts, now);
    this.#domains = new RecentMap(bounds.domains, now);
    this.#visits = new RecentMap(bounds.counts, now);
  }

  /** How much is kept, a domain taken as full. */
  get entries(): number {
    const counts = this.#counts.size + this.#shares.size + this.#visits.size;
    return this.#lastSeen.size + counts + this.#domains.size * this.#bounds.namesOfDomain;
  }

  /** Whether the inbox was not seen within a day. From now on it is. */
  isNewInbox(inbox: string, now: number): boolean {
    const lastAt = this.#lastSeen.get(inbox);
    this.#lastSeen.set(inbox, now, now);
    return lastAt === undefined || now - lastAt >= DAY_MS;
  }

  count(key: string, now: number): void {
    this.#counts.use(key, now, () => new HourlyCounts()).add(now);
  }

  /** Counts under a key, but at most this many of one network within an hour. */
  countShare(key: string, network: string, most: number, now: number): void {
    const share = this.#shares.use(`${network} ${key}`, now, () => new HourlyCounts());
    if (share.lastHour(now) >= most) return;
    share.add(now);
    this.count(key, now);
  }

  countsOf(key: string): HourlyCounts | undefined {
    return this.#counts.get(key);
  }

  addAttempt(visit: string, attempt: Attempt): void {
    const others = this.#othersOf(visit, attempt);
    this.#visits.set(visit, [...others, attempt].slice(-MAX_ATTEMPTS), attempt.at);
  }

  /** How many other attempts of the visit begin alike. */
  mistyped(visit: string, attempt: Attempt): number {
    return this.#othersOf(visit, attempt).filter(({ beginning }) => beginning === attempt.beginning).length;
  }

  #othersOf(visit: string, { inbox, at }: Attempt): Attempt[] {
    const attempts = this.#visits.get(visit) ?? [];
    return attempts.filter((other) => other.inbox !== inbox && at - other.at < VISIT_MS);
  }

  addName(domain: string, name: string, now: number): void {
    const names = this.#domains.get(domain) ?? new Map<string, Seen>();
    const times = names.get(name);
    const isRecent = times !== undefined && now - times.lastAt < DAY_MS;
    // The longest unseen name comes first.
    names.delete(name);
    names.set(name, { firstAt: isRecent ? times.firstAt : now, lastAt: now });
    for (const [oldest, { lastAt }] of names) {
      if (names.size <= this.#bounds.namesOfDomain && now - lastAt < DAY_MS) break;
      names.delete(oldest);
    }
    this.#domains.set(domain, names, now);
  }

  /** How many names under the domain were first seen within a day, this one included; 0 when this one is older. */
  newNames(domain: string, name: string, now: number): number {
    const names = this.#domains.get(domain) ?? new Map<string, Seen>();
    const own = names.get(name);
    if (own !== undefined && now - own.firstAt >= DAY_MS && now - own.lastAt < DAY_MS) return 0;
    let others = 0;
    for (const [other, { firstAt }] of names) if (other !== name && now - firstAt < DAY_MS) others += 1;
    return others + 1;
  }

  forget(now: number): void {
    this.#lastSeen.forget(now);
    this.#counts.forget(now);
    this.#shares.forget(now);
    this.#visits.forget(now);
    this.#domains.forget(now);
  }
}
