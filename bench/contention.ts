/**
 * Where PostgreSQL’s contention begins: `node --import tsx bench/contention.ts`. A discrete-event simulation, seeded,
 * so that each run prints the same. docs/scaling.md has its output and the conclusions.
 *
 * Each process has a queue for each project, which sends one batch at a time (settle-projects.ts). A batch takes a
 * connection of the process, travels to the database, waits for the project’s row, uses one of the database’s cores,
 * and locks the row until its commit is on disk. The numbers come from bench/batch-cost.ts, and each can be set with
 * --name=value.
 */
const INPUT = {
  /** CPU time of a batch independent of its size, and for each of its requests. */
  batchMs: 1.1,
  requestMs: 0.06,
  /** The time until a commit is on disk. The row stays locked, the core is free. */
  commitMs: 0.8,
  /** The round trip between service and database. */
  roundTripMs: 0.5,
  cores: 16,
  /** settle-projects.ts and postgres-store.ts. */
  batchSize: 512,
  connections: 8,
  /** A rate is sustained if 99 of 100 requests wait no longer than this. */
  boundMs: 100,
};
type Input = typeof INPUT;

interface Scene extends Input {
  readonly processes: number;
  readonly projects: number;
  /**
   * Zipf’s exponent. With 0 all projects are equal. With 1 the first of 10,000 projects has a tenth of all requests.
   */
  readonly skew: number;
  /** How many of the processes a project’s requests go to. */
  readonly homes: number;
}

interface Seen {
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
class Agenda {
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

/** Admits a fixed number at a time. The others wait in a queue. */
class Turns {
  readonly #waiting: (() => void)[] = [];
  #first = 0;
  #free: number;

  constructor(free: number) {
    this.#free = free;
  }

  take(go: () => void): void {
    if (this.#free === 0) {
      this.#waiting.push(go);
      return;
    }
    this.#free -= 1;
    go();
  }

  giveBack(): void {
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

const WARM_MS = 500;

function simulate(scene: Scene, perSecond: number, seconds: number): Seen {
  const agenda = new Agenda();
  const random = randomNumbers(1);
  const cores = new Turns(scene.cores);
  const rows = Array.from({ length: scene.projects }, () => new Turns(1));
  const pools = Array.from({ length: scene.processes }, () => new Turns(scene.connections));
  const lanes = new Map<number, number[]>();
  const waits: number[] = [];
  let batches = 0;
  let batched = 0;
  let worked = 0;

  function send(process: number, project: number, lane: number[]): void {
    if (lane.length === 0) {
      lanes.delete(process * scene.projects + project);
      return;
    }
    const pool = pools[process];
    const row = rows[project];
    if (pool === undefined || row === undefined) return;
    // The service builds the batch before it asks for a connection.
    const batch = lane.splice(0, scene.batchSize);
    const work = scene.batchMs + scene.requestMs * batch.length;
    const answered = () => {
      pool.giveBack();
      if (agenda.now > WARM_MS) {
        for (const since of batch) waits.push(agenda.now - since);
        batches += 1;
        batched += batch.length;
        worked += work;
      }
      send(process, project, lane);
    };
    const committed = () => {
      row.giveBack();
      agenda.after(scene.roundTripMs / 2, answered);
    };
    const onCore = () =>
      agenda.after(work, () => {
        cores.giveBack();
        agenda.after(scene.commitMs, committed);
      });
    pool.take(() => agenda.after(scene.roundTripMs / 2, () => row.take(() => cores.take(onCore))));
  }

  const pick = zipf(scene.projects, scene.skew, random);
  function arrive(): void {
    agenda.after((-Math.log(1 - random()) * 1_000) / perSecond, arrive);
    const project = pick();
    const process = (project * 7_919 + Math.floor(random() * scene.homes)) % scene.processes;
    const name = process * scene.projects + project;
    const lane = lanes.get(name);
    if (lane !== undefined) {
      lane.push(agenda.now);
      return;
    }
    const first = [agenda.now];
    lanes.set(name, first);
    send(process, project, first);
  }

  arrive();
  const end = WARM_MS + seconds * 1_000;
  agenda.runUntil(end);
  // Requests that are still waiting count with the time so far.
  for (const lane of lanes.values()) for (const since of lane) waits.push(Math.max(0, end - since));
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

/** The highest sustained rate, within a few percent, and the results at that rate. */
function carried(scene: Scene): Seen {
  const isCarried = (perSecond: number) => {
    const seen = simulate(scene, perSecond, simulatedSeconds(perSecond));
    return seen.p99 <= scene.boundMs && seen.perSecond > perSecond * 0.95 ? seen : undefined;
  };
  let good = 0;
  let best: Seen = { perSecond: 0, p99: Number.NaN, perBatch: 0, coresBusy: 0 };
  let bad = 300_000;
  while (bad - good > Math.max(20, good * 0.04)) {
    // The first steps are small, because an overloaded system is slow to simulate.
    const tried = good === 0 ? 100 : Math.min(good * 2, (good + bad) / 2);
    const seen = isCarried(tried);
    if (seen === undefined) bad = tried;
    else {
      good = tried;
      best = seen;
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
    if (!(name in input))
      throw new Error(
        `${arg}: give ${Object.keys(INPUT)
          .map((key) => `--${key}=…`)
          .join(' ')}`,
      );
    input[name] = Number(value);
  }
  return input as Input;
}

const input = readInput(process.argv.slice(2));
const scene: Scene = { ...input, processes: 16, projects: 1, skew: 0, homes: 16 };
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

const HEAD = ['requests/s', 'requests a batch', 'cores busy', 'p99 ms'];
const figures = (seen: Seen) => [
  whole(seen.perSecond),
  seen.perBatch.toFixed(1),
  seen.coresBusy.toFixed(1),
  whole(seen.p99),
];

console.log(
  `A batch: ${input.batchMs} ms and ${input.requestMs} ms a request on one of ${input.cores} cores, commit ${input.commitMs} ms, ${input.connections} connections a process, round trip ${input.roundTripMs} ms unless told otherwise. Carried means: p99 of at most ${input.boundMs} ms.\n`,
);
const TRIPS = [0.5, 2, 10];
table(
  '**1. One project, requests/s carried**, by the processes that its requests are spread over and the round trip',
  ['processes', ...TRIPS.map((ms) => `${ms} ms`)],
  [1, 2, 4, 8, 16, 32, 64].map((processes) => [
    processes,
    ...TRIPS.map((roundTripMs) =>
      whole(carried({ ...scene, processes, homes: processes, roundTripMs }).perSecond),
    ),
  ]),
);
table(
  '**2. One project on 16 processes**, by how much is asked for',
  ['asked for', ...HEAD],
  [100, 300, 1_000, 3_000, 6_000, 8_000].map((rate) => [whole(rate), ...figures(simulate(scene, rate, 3))]),
);
table(
  '**3. One project on 2 processes, carried**, by the time of a commit; a synchronous replica adds its round trip',
  ['commit ms', ...HEAD],
  [0.2, 0.8, 2, 5, 10].map((commitMs) => [
    commitMs,
    ...figures(carried({ ...scene, processes: 2, homes: 2, commitMs })),
  ]),
);
const MANY = { ...scene, projects: 10_000 };
const share = (skew: number) =>
  100 /
  Array.from({ length: MANY.projects }, (_, at) => (at + 1) ** -skew).reduce((sum, one) => sum + one, 0);
for (const [number, homes] of [
  [4, 16],
  [5, 1],
] as const) {
  table(
    `**${number}. 10,000 projects on 16 processes, each on ${homes} of them, carried**, by how unequal the projects are`,
    ['Zipf exponent', 'share of the first', ...HEAD],
    [0, 0.8, 1, 1.2, 1.5].map((skew) => [
      skew,
      `${share(skew).toPrecision(2)}%`,
      ...figures(carried({ ...MANY, skew, homes })),
    ]),
  );
}
table(
  '**6. 10,000 projects, exponent 0.8, each on one process, carried**, by processes and cores of the database',
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
    ...figures(carried({ ...MANY, processes, cores, skew: 0.8, homes: 1 })),
  ]),
);
