/**
 * Where PostgreSQL’s contention begins: `node --import tsx bench/contention.ts`. A discrete-event simulation, seeded,
 * so that each run prints the same. docs/scaling.md has its output and the conclusions.
 *
 * Each process has a queue for each project, which sends one batch at a time, and a second one beside it when enough
 * requests wait and the last batch was answered soon (settle-projects.ts). A batch takes a connection of the process,
 * travels to the database, waits for the project’s row, uses one of the database’s cores, and locks the row until its
 * commit is on disk. The numbers come from bench/batch-cost.ts, and each can be set with --name=value.
 */
const INPUT = {
  /** CPU time per batch, and CPU time per request in it. */
  batchMs: 1.1,
  requestMs: 0.06,
  /** The time until a commit is on disk. The row stays locked, the core is free. */
  commitMs: 0.8,
  /** The round trip between service and database. */
  roundTripMs: 0.5,
  cores: 16,
  /** settle-projects.ts and postgres-store.ts. */
  batchSize: 512,
  minAlongside: 16,
  maxAlongsideMs: 20,
  connections: 8,
  /** A rate is sustained if 99 of 100 requests wait no longer than this. */
  boundMs: 100,
};
type Input = typeof INPUT;

interface Scenario extends Input {
  readonly processes: number;
  readonly projects: number;
  /**
   * Zipf’s exponent. With 0 all projects are equal. With 1 the first of 10,000 projects has a tenth of all requests.
   */
  readonly skew: number;
  /** How many processes share the requests of one project. */
  readonly processesPerProject: number;
}

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
  readonly perBatch: number;
  readonly coresBusy: number;
}

/** Mulberry32: small, fast, and the same everywhere. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Event = readonly [at: number, order: number, run: () => void];

/** The queue of events by time. Events of the same time keep their order. */
class EventQueue {
  now = 0;
  readonly #heap: Event[] = [];
  #order = 0;

  after(delay: number, run: () => void): void {
    const event: Event = [this.now + delay, this.#order++, run];
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const parent = heap[up];
      if (parent === undefined || !isEarlier(event, parent)) break;
      heap[at] = parent;
      at = up;
    }
    heap[at] = event;
  }

  runUntil(end: number): void {
    for (let next = this.#heap[0]; next !== undefined && next[0] <= end; next = this.#heap[0]) {
      this.#dropFirst();
      this.now = next[0];
      next[2]();
    }
  }

  #dropFirst(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let at = 0;
    for (;;) {
      let down = 2 * at + 1;
      const left = heap[down];
      if (left === undefined) break;
      const right = heap[down + 1];
      const least = right !== undefined && isEarlier(right, left) ? right : left;
      if (least === right) down += 1;
      if (!isEarlier(least, last)) break;
      heap[at] = least;
      at = down;
    }
    heap[at] = last;
  }
}

function isEarlier(one: Event, other: Event): boolean {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1]);
}

/** A semaphore: a fixed number can hold a slot, the others wait in order. */
class Slots {
  readonly #waiting: (() => void)[] = [];
  #first = 0;
  #free: number;

  constructor(free: number) {
    this.#free = free;
  }

  acquire(go: () => void): void {
    if (this.#free === 0) {
      this.#waiting.push(go);
      return;
    }
    this.#free -= 1;
    go();
  }

  release(): void {
    const next = this.#waiting[this.#first];
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#first += 1;
    if (this.#first > 1_000 && this.#first * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#first);
      this.#first = 0;
    }
    next();
  }
}

const WARM_UP_MS = 500;

/** The requests of one project in one process. */
interface Queue {
  readonly waiting: number[];
  underWay: number;
  lastMs: number;
}

function simulate(scenario: Scenario, perSecond: number, seconds: number): Measured {
  const events = new EventQueue();
  const random = randomNumbers(1);
  const cores = new Slots(scenario.cores);
  const rows = Array.from({ length: scenario.projects }, () => new Slots(1));
  const pools = Array.from({ length: scenario.processes }, () => new Slots(scenario.connections));
  const queues = new Map<number, Queue>();
  const waits: number[] = [];
  let batches = 0;
  let batched = 0;
  let worked = 0;

  function send(process: number, project: number, queue: Queue): void {
    const { waiting, underWay } = queue;
    if (waiting.length === 0 && underWay === 0) queues.delete(process * scenario.projects + project);
    if (waiting.length === 0 || underWay === 2) return;
    if (underWay === 1 && (waiting.length < scenario.minAlongside || queue.lastMs > scenario.maxAlongsideMs))
      return;
    const pool = pools[process];
    const row = rows[project];
    if (pool === undefined || row === undefined) return;
    // The service builds the batch before it asks for a connection.
    const batch = waiting.splice(0, scenario.batchSize);
    queue.underWay += 1;
    const sentAt = events.now;
    const work = scenario.batchMs + scenario.requestMs * batch.length;
    const answered = () => {
      pool.release();
      queue.underWay -= 1;
      queue.lastMs = events.now - sentAt;
      if (events.now > WARM_UP_MS) {
        for (const since of batch) waits.push(events.now - since);
        batches += 1;
        batched += batch.length;
        worked += work;
      }
      send(process, project, queue);
    };
    const committed = () => {
      row.release();
      events.after(scenario.roundTripMs / 2, answered);
    };
    const onCore = () =>
      events.after(work, () => {
        cores.release();
        events.after(scenario.commitMs, committed);
      });
    pool.acquire(() =>
      events.after(scenario.roundTripMs / 2, () => row.acquire(() => cores.acquire(onCore))),
    );
  }

  const pick = zipf(scenario.projects, scenario.skew, random);
  function arrive(): void {
    events.after((-Math.log(1 - random()) * 1_000) / perSecond, arrive);
    const project = pick();
    const process =
      (project * 7_919 + Math.floor(random() * scenario.processesPerProject)) % scenario.processes;
    const name = process * scenario.projects + project;
    const queue = queues.get(name);
    if (queue !== undefined) {
      queue.waiting.push(events.now);
      send(process, project, queue);
      return;
    }
    const first: Queue = { waiting: [events.now], underWay: 0, lastMs: 0 };
    queues.set(name, first);
    send(process, project, first);
  }

  arrive();
  const end = WARM_UP_MS + seconds * 1_000;
  events.runUntil(end);
  // Requests that still wait count with the time that they have waited so far.
  for (const { waiting } of queues.values())
    for (const since of waiting) waits.push(Math.max(0, end - since));
  waits.sort((a, b) => a - b);
  return {
    perSecond: batched / seconds,
    p99: waits[Math.floor(waits.length * 0.99)] ?? 0,
    perBatch: batched / Math.max(1, batches),
    coresBusy: worked / (seconds * 1_000),
  };
}

function zipf(size: number, exponent: number, random: () => number): () => number {
  const sums = new Float64Array(size);
  let sum = 0;
  for (let at = 0; at < size; at += 1) {
    sum += (at + 1) ** -exponent;
    sums[at] = sum;
  }
  return () => {
    const wanted = random() * sum;
    let low = 0;
    let high = size - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** What was measured at the highest sustained rate, which is found within a few percent. */
function highestSustained(scenario: Scenario): Measured {
  const sustainedAt = (perSecond: number) => {
    const measured = simulate(scenario, perSecond, simulatedSeconds(perSecond));
    return measured.p99 <= scenario.boundMs && measured.perSecond > perSecond * 0.95 ? measured : undefined;
  };
  let good = 0;
  let best: Measured = { perSecond: 0, p99: Number.NaN, perBatch: 0, coresBusy: 0 };
  let bad = 300_000;
  while (bad - good > Math.max(20, good * 0.04)) {
    // The first steps are small, because an overloaded system is slow to simulate.
    const rate = good === 0 ? 100 : Math.min(good * 2, (good + bad) / 2);
    const measured = sustainedAt(rate);
    if (measured === undefined) bad = rate;
    else {
      good = rate;
      best = measured;
    }
    if (good === 0) break;
  }
  return best;
}

function simulatedSeconds(perSecond: number): number {
  return Math.min(5, Math.max(0.5, 10_000 / perSecond));
}

function readInput(args: readonly string[]): Input {
  const input: Record<string, number> = { ...INPUT };
  for (const arg of args) {
    const [, name = '', value] = /^--([A-Za-z]+)=([0-9.]+)$/.exec(arg) ?? [];
    if (!(name in input)) {
      const known = Object.keys(INPUT).map((key) => `--${key}=NUMBER`);
      throw new Error(`Unknown option ${arg}. Options: ${known.join(' ')}`);
    }
    input[name] = Number(value);
  }
  return input as Input;
}

const input = readInput(process.argv.slice(2));
const scenario: Scenario = { ...input, processes: 16, projects: 1, skew: 0, processesPerProject: 16 };
const whole = (value: number) => Math.round(value).toLocaleString('en');

function table(
  title: string,
  head: readonly string[],
  lines: readonly (readonly (string | number)[])[],
): void {
  console.log(`${title}\n`);
  for (const line of [head, head.map(() => '---'), ...lines]) console.log(`| ${line.join(' | ')} |`);
  console.log();
}

const HEAD = ['requests/s', 'requests per batch', 'cores busy', 'p99 ms'];
const figures = (measured: Measured) => [
  whole(measured.perSecond),
  measured.perBatch.toFixed(1),
  measured.coresBusy.toFixed(1),
  whole(measured.p99),
];

console.log(
  `A batch takes ${input.batchMs} ms plus ${input.requestMs} ms per request on one of ${input.cores} cores. A commit takes ${input.commitMs} ms, a round trip ${input.roundTripMs} ms unless a table says otherwise. Each process has ${input.connections} connections. *Sustained* means a p99 of at most ${input.boundMs} ms.\n`,
);
const TRIPS = [0.5, 2, 10];
table(
  '**1. One project, requests/s sustained**, by the processes that its requests are spread over and the round trip',
  ['processes', ...TRIPS.map((ms) => `${ms} ms`)],
  [1, 2, 4, 8, 16, 32, 64].map((processes) => [
    processes,
    ...TRIPS.map((roundTripMs) =>
      whole(
        highestSustained({ ...scenario, processes, processesPerProject: processes, roundTripMs }).perSecond,
      ),
    ),
  ]),
);
table(
  '**2. One project on 16 processes**, by offered load',
  ['offered requests/s', ...HEAD],
  [100, 300, 1_000, 3_000, 6_000, 8_000].map((rate) => [
    whole(rate),
    ...figures(simulate(scenario, rate, 3)),
  ]),
);
table(
  '**3. One project on 2 processes, sustained**, by the time of a commit; a synchronous replica adds its round trip',
  ['commit ms', ...HEAD],
  [0.2, 0.8, 2, 5, 10].map((commitMs) => [
    commitMs,
    ...figures(highestSustained({ ...scenario, processes: 2, processesPerProject: 2, commitMs })),
  ]),
);
const MANY = { ...scenario, projects: 10_000 };
const share = (skew: number) =>
  100 /
  Array.from({ length: MANY.projects }, (_, at) => (at + 1) ** -skew).reduce((sum, one) => sum + one, 0);
for (const [number, processesPerProject] of [
  [4, 16],
  [5, 1],
] as const) {
  table(
    `**${number}. 10,000 projects on 16 processes, each on ${processesPerProject} of them, sustained**, by how unequal the projects are`,
    ['Zipf exponent', 'share of the first', ...HEAD],
    [0, 0.8, 1, 1.2, 1.5].map((skew) => [
      skew,
      `${share(skew).toPrecision(2)}%`,
      ...figures(highestSustained({ ...MANY, skew, processesPerProject })),
    ]),
  );
}
table(
  '**6. 10,000 projects, exponent 0.8, each on one process, sustained**, by processes and cores of the database',
  ['processes', 'cores', ...HEAD],
  [
    [1, 16],
    [2, 16],
    [4, 16],
    [16, 16],
    [16, 32],
    [16, 64],
  ].map(([processes = 1, cores = 1]) => [
    processes,
    cores,
    ...figures(highestSustained({ ...MANY, processes, cores, skew: 0.8, processesPerProject: 1 })),
  ]),
);
