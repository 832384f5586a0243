import { seededRandom } from '../packages/service/test/support/seeded-random.ts';

/**
 * A model of several processes that count the requests of one project in one PostgreSQL: their batches, the project’s row,
 * the database’s cores and its disk. Deterministic, so that each run gives the same.
 */

/** Milliseconds. The work of a batch is CPU time. */
export interface Costs {
  /** The database’s work for a batch while the row is locked, whatever its size, and for each of its requests. */
  readonly batchMs: number;
  readonly requestMs: number;
  /** The database’s work for `postern_flush_1`. */
  readonly flushMs: number;
  /** The process’s work for a batch, whatever its size, and for each of its requests. */
  readonly ownBatchMs: number;
  readonly ownRequestMs: number;
  /** Until a commit is on disk. Commits that come meanwhile share the next sync. */
  readonly syncMs: number;
  /** From the process to the database and back. */
  readonly tripMs: number;
}

export interface Scene extends Costs {
  readonly processes: number;
  /** Cores of the database’s machine. */
  readonly cores: number;
  /** Whether the processes are one program on these cores, as in `--processes-postgres`, or have machines of their own. */
  readonly together: boolean;
  /** Whether a batch that waited for the row lets the next one go before the disk has it. */
  readonly early: boolean;
  /** How many requests are always in flight, or how many arrive in a second at random moments. */
  readonly load: { readonly inFlight: number } | { readonly perSecond: number };
}

export interface Simulated {
  readonly perSecond: number;
  readonly perBatch: number;
  readonly p99: number;
  /** Of the database. */
  readonly coresBusy: number;
}

/** As in settle-projects.ts, batcher.ts and 0002-settle.ts. */
const MAX_BATCH = 512;
const ANOTHER_FROM = 16;
const ANOTHER_LAST_MS = 20;
const CROWDED_AFTER_MS = 5;
const WARM_UP_MS = 2_000;

export function simulate(scene: Scene, seconds = 5): Simulated {
  const agenda = createAgenda();
  const cores = createTurns(scene.cores);
  const row = createTurns(1);
  const disk = createDisk(agenda, scene.syncMs);
  const shared = createTurns(1);
  const end = WARM_UP_MS + seconds * 1_000;
  const waits: number[] = [];
  let batches = 0;
  let databaseMs = 0;

  const onCore = (ms: number, then: () => void) =>
    cores.take(() =>
      agenda.after(ms, () => {
        if (agenda.now() > WARM_UP_MS) databaseMs += ms;
        cores.giveBack();
        then();
      }),
    );

  /** One batch, from the moment at which its process has encoded it. */
  const settle = (size: number, answered: () => void) => {
    const trip = scene.tripMs / 2;
    agenda.after(trip, () => {
      const asked = agenda.now();
      row.take(() => {
        const letsGo = scene.early && agenda.now() - asked > CROWDED_AFTER_MS;
        onCore(scene.batchMs + scene.requestMs * size, () => {
          if (!letsGo) {
            disk.sync(() => {
              row.giveBack();
              agenda.after(trip, answered);
            });
            return;
          }
          row.giveBack();
          agenda.after(2 * trip, () =>
            onCore(scene.flushMs, () => disk.sync(() => agenda.after(trip, answered))),
          );
        });
      });
    });
  };

  const makeProcess = (): ((since: number) => void) => {
    const thread = scene.together ? shared : createTurns(1);
    let queue: number[] = [];
    let underWay = 0;
    let lastMs = 0;
    const work = (ms: number, then: () => void) =>
      thread.take(() => {
        const run = () =>
          agenda.after(ms, () => {
            if (scene.together) cores.giveBack();
            thread.giveBack();
            then();
          });
        if (scene.together) cores.take(run);
        else run();
      });
    const maySend = () =>
      queue.length > 0 &&
      (underWay === 0 || (underWay === 1 && queue.length >= ANOTHER_FROM && lastMs <= ANOTHER_LAST_MS));
    const sendNext = () => {
      while (maySend()) {
        const batch = queue.slice(0, MAX_BATCH);
        queue = queue.slice(MAX_BATCH);
        underWay += 1;
        const sentAt = agenda.now();
        const half = (scene.ownBatchMs + scene.ownRequestMs * batch.length) / 2;
        work(half, () =>
          settle(batch.length, () =>
            work(half, () => {
              underWay -= 1;
              lastMs = agenda.now() - sentAt;
              if (agenda.now() > WARM_UP_MS) {
                batches += 1;
                for (const since of batch) waits.push(agenda.now() - since);
              }
              if ('inFlight' in scene.load) queue.push(...batch.map(() => agenda.now()));
              sendNext();
            }),
          ),
        );
      }
    };
    return (since) => {
      queue.push(since);
      // What comes in one turn of the event loop leaves together.
      agenda.after(0, sendNext);
    };
  };

  const processes = Array.from({ length: scene.processes }, makeProcess);
  if ('inFlight' in scene.load)
    for (let number = 0; number < scene.load.inFlight; number += 1) processes[number % processes.length]?.(0);
  else arriveAtRandom(agenda, scene.load.perSecond, processes);
  agenda.runUntil(end);
  waits.sort((one, other) => one - other);
  return {
    perSecond: waits.length / seconds,
    perBatch: waits.length / Math.max(1, batches),
    p99: waits[Math.floor(waits.length * 0.99)] ?? Number.POSITIVE_INFINITY,
    coresBusy: databaseMs / (seconds * 1_000),
  };
}

/** The most requests a second, within 2%, of which 99% are answered in the time, and what it looks like then. */
export function carried(scene: Omit<Scene, 'load'>, withinMs: number): Simulated {
  const at = (perSecond: number) => simulate({ ...scene, load: { perSecond } });
  const holds = ({ perSecond, p99 }: Simulated, asked: number) => p99 <= withinMs && perSecond > asked * 0.95;
  let good = 0;
  let best: Simulated = { perSecond: 0, perBatch: 0, p99: Number.NaN, coresBusy: 0 };
  let bad = 20_000;
  while (bad - good > Math.max(5, good * 0.02)) {
    const asked = (good + bad) / 2;
    const seen = at(asked);
    if (holds(seen, asked)) [good, best] = [asked, seen];
    else bad = asked;
  }
  return best;
}

function arriveAtRandom(agenda: Agenda, perSecond: number, processes: readonly ((since: number) => void)[]) {
  const random = seededRandom(1);
  const arrive = () => {
    processes[Math.floor(random() * processes.length)]?.(agenda.now());
    agenda.after((-Math.log(1 - random()) * 1_000) / perSecond, arrive);
  };
  arrive();
}

interface Agenda {
  now(): number;
  after(ms: number, run: () => void): void;
  runUntil(end: number): void;
}

/** A binary heap by time; what is due at the same time runs in the order in which it was added. */
function createAgenda(): Agenda {
  type Entry = readonly [at: number, order: number, run: () => void];
  const heap: Entry[] = [];
  let now = 0;
  let order = 0;
  const isBefore = (one: Entry, other: Entry) =>
    one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
  const at = (index: number) => heap[index] as Entry;
  const swap = (one: number, other: number) => {
    [heap[one], heap[other]] = [at(other), at(one)];
  };
  const takeFirst = () => {
    swap(0, heap.length - 1);
    const first = heap.pop() as Entry;
    for (let index = 0; ; ) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < heap.length && isBefore(at(child), at(least))) least = child;
      if (least === index) return first;
      swap(index, least);
      index = least;
    }
  };
  return {
    now: () => now,
    after(ms, run) {
      heap.push([now + ms, order++, run]);
      for (let index = heap.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (!isBefore(at(index), at(parent))) break;
        swap(index, parent);
        index = parent;
      }
    },
    runUntil(end) {
      while (heap.length > 0 && at(0)[0] <= end) {
        const [time, , run] = takeFirst();
        now = time;
        run();
      }
    },
  };
}

/** So many at a time. The others wait in line. */
function createTurns(free: number) {
  const waiting: (() => void)[] = [];
  let left = free;
  return {
    take(run: () => void) {
      if (left === 0) waiting.push(run);
      else {
        left -= 1;
        run();
      }
    },
    giveBack() {
      const next = waiting.shift();
      if (next) next();
      else left += 1;
    },
  };
}

/** One sync at a time, for all that wait when it begins. */
function createDisk(agenda: Agenda, syncMs: number) {
  let waiting: (() => void)[] = [];
  let busy = false;
  const begin = () => {
    const served = waiting;
    waiting = [];
    busy = true;
    agenda.after(syncMs, () => {
      busy = false;
      for (const done of served) done();
      if (waiting.length > 0 && !busy) begin();
    });
  };
  return {
    sync(done: () => void) {
      waiting.push(done);
      if (!busy) begin();
    },
  };
}
