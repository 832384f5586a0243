import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../src/model/project.ts';
import type { Store } from '../src/store/store.ts';
import { type PostgresServer, sharedPostgresServer } from './support/postgres.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import {
  DAY,
  HOUR,
  makeCaller,
  makeKey,
  START,
  submissionOf,
  type TestDatabase,
} from './support/store-fixtures.ts';
import { asModelled, MODEL_RULES, storeModel } from './support/store-model.ts';

const RETENTION_DAYS = 30;
const RETENTION = RETENTION_DAYS * DAY;
const TIMES = process.env.TEST_SLOW === '1' ? 3 : 1;
const CROWDED_RUNS = 2 * TIMES;

const name = (...names: string[]) => fc.constantFrom(...names);

const request = fc.record({
  key: fc.integer({ min: 0, max: 2 }),
  visitors: fc.subarray(['v1', 'v2', 'v3']),
  device: fc.option(name('d1', 'd2')),
  network: fc.option(name('n1', 'n2', 'n3', 'n4')),
  inbox: name('a', 'b', 'c', 'd', 'e'),
  spelling: name('s1', 's2', 's3'),
  isClaim: fc.boolean(),
  mistyped: fc.nat(2),
  blocks: fc.boolean(),
  counts: fc.boolean(),
  validates: fc.boolean(),
});

/** Requests that arrive together, and the time since the previous ones. */
const round = fc.record({
  wait: fc.constantFrom(
    0,
    1,
    400,
    1_000,
    HOUR - 1,
    HOUR,
    HOUR + 1,
    DAY,
    DAY + 1,
    7 * DAY,
    7 * DAY + 1,
    20 * DAY,
    RETENTION,
    RETENTION + 1,
  ),
  requests: fc.array(request, { minLength: 1, maxLength: 8 }),
});

const story = fc.record({
  quotaLimit: fc.integer({ min: 0, max: 30 }),
  rateLimit: fc.integer({ min: 1, max: 12 }),
  visitorLimit: fc.integer({ min: 1, max: 5 }),
  reserve: fc.integer({ min: 0, max: 10 }),
  threshold: fc.integer({ min: 1, max: 4 }),
  aliasBlocks: fc.boolean(),
  deviceBlocks: fc.boolean(),
  hasRules: fc.boolean(),
  rounds: fc.array(round, { minLength: 1, maxLength: 12 }),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** A device that brings more inboxes and comes from more networks than are remembered, and then some of them again. */
const PLACES = 230;
const place = fc.nat({ max: PLACES - 1 });
const crowdedStory = fc
  .record({
    threshold: fc.integer({ min: 1, max: 4 }),
    aliasBlocks: fc.boolean(),
    deviceBlocks: fc.boolean(),
    hasRules: fc.boolean(),
    first: fc.array(request, { minLength: PLACES, maxLength: PLACES }),
    then: fc.array(
      fc.record({
        wait: fc.constantFrom(1, HOUR, RETENTION - 50, RETENTION),
        requests: fc.array(fc.tuple(request, place, place), { minLength: 1, maxLength: 8 }),
      }),
      { minLength: 4, maxLength: 8 },
    ),
  })
  .map(({ first, then, ...device }): Story => {
    const at = (of: (typeof first)[number], inbox: number, network: number) => ({
      ...of,
      key: of.key % 2,
      visitors: [],
      validates: true,
      device: 'd',
      inbox: `i${inbox}`,
      network: `n${network}`,
    });
    const places = first.map((of, index) => at(of, index, PLACES - index));
    return {
      ...device,
      quotaLimit: 1_000,
      rateLimit: 1_000,
      visitorLimit: 1,
      reserve: 0,
      rounds: [
        // A few at a time: requests of one device are judged one after the other.
        ...Array.from({ length: PLACES / 10 }, (_, index) => ({
          wait: 1,
          requests: places.slice(index * 10, (index + 1) * 10),
        })),
        ...then.map(({ wait, requests }) => ({
          wait,
          requests: requests.map(([of, inbox, network]) => at(of, inbox, network)),
        })),
      ],
    };
  });

/** Runs the requests against the store and the model, and compares every answer. */
async function play(
  store: Store,
  { rounds, rateLimit, visitorLimit, quotaLimit, reserve, ...terms }: Story,
): Promise<void> {
  const actions = {
    ...DEFAULT_POLICY.actions,
    alias: terms.aliasBlocks ? 'block' : 'flag',
    device: terms.deviceBlocks ? 'block' : 'flag',
  } as const;
  const caller = await makeCaller(store, {
    policy: { actions, deviceThreshold: terms.threshold, crowd: 'allow' },
    project: { retentionDays: RETENTION_DAYS, rules: terms.hasRules ? MODEL_RULES : [] },
  });
  const keys = [
    caller.key,
    await makeKey(store, caller.project, { type: 'client' }),
    await makeKey(store, caller.project, { mode: 'test' }),
  ];
  const model = storeModel({ ...terms, retentionMs: RETENTION });
  let now = START;
  for (const { wait, requests } of rounds) {
    now += wait;
    const submissions = requests.map(({ key, counts, validates, blocks, visitors, ...visit }) => {
      const submission = submissionOf(
        { ...caller, key: keys[key] ?? caller.key },
        { ...visit, now, record: { actions, listing: blocks ? { action: 'block', kind: 'domain' } : null } },
        {
          countRate: counts,
          rateLimit,
          quotaLimit: key === 1 ? Math.max(0, quotaLimit - reserve) : quotaLimit,
          // Each network has the same limit in all requests, and the larger ones a higher one.
          visitors: visitors.map((hash) => ({ hash, limit: visitorLimit * Number(hash.slice(1)) })),
        },
      );
      return validates ? submission : { ...submission, validation: null };
    });
    const settlements = await Promise.all(submissions.map((submission) => store.settle(submission)));
    expect(settlements.map(asModelled)).toEqual(submissions.map(model));
  }
}

function storeTellsWhatTheModelTells(
  makeDatabase: () => Promise<TestDatabase>,
  numRuns: number,
): () => Promise<void> {
  return async () => {
    const database = await makeDatabase();
    const store = await database.open();
    try {
      await fc.assert(
        fc.asyncProperty(story, (told) => play(store, told)),
        { numRuns },
      );
      await fc.assert(
        fc.asyncProperty(crowdedStory, (told) => play(store, told)),
        { numRuns: CROWDED_RUNS, endOnFailure: true },
      );
    } finally {
      await store.close();
      await database.remove();
    }
  };
}

describe('any sequence of requests', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await sharedPostgresServer();
  });
  afterAll(() => server?.remove());

  it(
    'gets the same answers from the embedded store and the model',
    storeTellsWhatTheModelTells(sqliteDatabase, 25 * TIMES),
  );
  it(
    'is answered by PostgreSQL as by the model',
    storeTellsWhatTheModelTells(() => server.database(), 15 * TIMES),
  );
});
