import { bucketAt, CLOCK_SKEW_MS, secondsUntilLeft, WINDOW_MS } from '../rate-rules.ts';
import type { Connection } from './connection.ts';
import { createCache } from './value-cache.ts';

/** One sliding hour inside a transaction: that of a project and key type, or that of a visitor. */
interface RateWindow {
  /** Counts the request unless that would exceed the limit; returns whether it is admitted. */
  admit(now: number, limit: number): boolean;
  /** Whether one more request would be admitted. */
  hasRoom(now: number, limit: number): boolean;
  /** Drops what is older than an hour; for requests that are not counted themselves. */
  advanceTo(now: number): void;
  total(): number;
  latestAt(): number;
  retryAfter(now: number, limit: number): number;
  /** Writes what was counted. */
  save(): void;
}

export interface RateWindows {
  of(projectId: string, lane: string): RateWindow;
  ofVisitor(projectId: string, visitor: string): RateWindow;
  save(): void;
  clear(): void;
}

/** Usually only the oldest buckets matter; a busy hour has 3,600. */
const BUCKETS_PER_READ = 64;

type Bucket = readonly [second: number, count: number, lastAt: number, counted: number];

/** The windows that batches count in. */
export function rateWindows(connection: Connection): RateWindows {
  const read = windowReader(connection);
  const windows = createCache(read);
  // Only for one batch. Most visitors come once, and there are thousands of them.
  const visitors = createCache(read);
  const used = new Set<RateWindow>();
  const using = (window: RateWindow): RateWindow => {
    used.add(window);
    return window;
  };
  return {
    of: (projectId, lane) => using(windows.get(projectId, lane)),
    ofVisitor: (projectId, visitor) => using(visitors.get(projectId, visitor)),
    save() {
      for (const window of used) window.save();
      used.clear();
      visitors.clear();
    },
    clear() {
      windows.clear();
      visitors.clear();
      used.clear();
    },
  };
}

function windowReader(connection: Connection) {
  const where = 'project_id = ? AND lane = ?';
  const select = `SELECT second, count, last_at, counted FROM rate_bucket WHERE ${where}`;
  const oldest = connection.prepare(`${select} ORDER BY second LIMIT ?`).raw(true);
  const newest = connection.prepare(`${select} ORDER BY second DESC LIMIT 1`).raw(true);
  const future = connection.prepare(`${select} AND second >= ?`).raw(true);
  const remove = connection.prepare(`DELETE FROM rate_bucket WHERE ${where} AND second = ?`);
  const add = connection.prepare(
    `INSERT INTO rate_bucket (project_id, lane, second, count, last_at, counted) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count, last_at = max(last_at, excluded.last_at),
       counted = excluded.counted`,
  );

  return (projectId: string, lane: string): RateWindow => {
    const last = newest.get([projectId, lane]) as Bucket | undefined;
    let counted = last?.[3] ?? 0;
    let latestAt = last?.[2] ?? 0;
    // What was counted in the current second and not yet written.
    let second = 0;
    let unsaved = 0;
    let free: { readonly total: number; readonly limit: number; readonly lastAt: number } | undefined;

    const firstBuckets = (limit: number) => oldest.all([projectId, lane, limit]) as Bucket[];
    const [first] = last === undefined ? [] : firstBuckets(1);
    let total = first === undefined ? 0 : counted - first[3] + first[1];
    let oldestLastAt = first?.[2] ?? Number.POSITIVE_INFINITY;
    const flush = () => {
      if (unsaved > 0) add.run([projectId, lane, second, unsaved, latestAt, counted]);
      unsaved = 0;
    };
    const findOldest = () => {
      oldestLastAt = firstBuckets(1)[0]?.[2] ?? Number.POSITIVE_INFINITY;
    };

    /** The time at which a request of `now` counts; it never runs backwards within a window. */
    const countingTime = (now: number): number => {
      if (latestAt <= now || total === 0) return now;
      if (latestAt - now <= CLOCK_SKEW_MS) return latestAt;
      flush();
      let moved = 0;
      for (const [bucketSecond, count] of future.all(projectId, lane, bucketAt(now)) as Bucket[]) {
        remove.run(projectId, lane, bucketSecond);
        moved += count;
      }
      if (moved > 0) add.run(projectId, lane, bucketAt(now), moved, now, counted);
      latestAt = now;
      findOldest();
      free = undefined;
      return now;
    };

    const expire = (at: number) => {
      if (total === 0 || oldestLastAt > at - WINDOW_MS) return;
      flush();
      let past: Bucket[];
      do {
        past = firstBuckets(BUCKETS_PER_READ).filter(([, , lastAt]) => lastAt <= at - WINDOW_MS);
        for (const [bucketSecond, count] of past) {
          remove.run(projectId, lane, bucketSecond);
          total -= count;
        }
      } while (past.length === BUCKETS_PER_READ);
      findOldest();
      free = undefined;
    };

    const advanceTo = (now: number): number => {
      const at = countingTime(now);
      expire(at);
      return at;
    };

    return {
      advanceTo,
      total: () => total,
      latestAt: () => latestAt,
      hasRoom(now, limit) {
        advanceTo(now);
        return total < limit;
      },
      admit(now, limit) {
        const at = advanceTo(now);
        if (total >= limit) return false;
        if (bucketAt(at) !== second) {
          flush();
          second = bucketAt(at);
        }
        unsaved += 1;
        total += 1;
        counted += 1;
        latestAt = at;
        oldestLastAt = Math.min(oldestLastAt, at);
        return true;
      },
      retryAfter(now, limit) {
        if (total < limit) return 0;
        if (limit <= 0) return WINDOW_MS / 1_000;
        if (free?.total !== total || free.limit !== limit) {
          flush();
          const wanted = total - limit + 1;
          const lastAt =
            lastAtThatFrees(firstBuckets(BUCKETS_PER_READ), wanted) ??
            lastAtThatFrees(firstBuckets(-1), wanted);
          free = { total, limit, lastAt: lastAt ?? latestAt };
        }
        return secondsUntilLeft(free.lastAt, now);
      },
      save: flush,
    };
  };
}

/** The time of the bucket after which this many requests have expired. */
function lastAtThatFrees(buckets: readonly Bucket[], wanted: number): number | undefined {
  let left = 0;
  for (const [, count, lastAt] of buckets) {
    left += count;
    if (left >= wanted) return lastAt;
  }
  return undefined;
}
