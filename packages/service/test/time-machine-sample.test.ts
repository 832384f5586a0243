import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { timeMachineRoutes } from '../src/dashboard-api/time-machine.ts';
import type { Store } from '../src/store/store.ts';
import { checksWith } from './support/check-input.ts';
import { sharedPostgresServer } from './support/postgres.ts';
import { BACK_ENDS } from './support/service-on.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import {
  admitted,
  DAY,
  makeCaller,
  recommendationsOf,
  START,
  submissionOf,
  type TestDatabase,
} from './support/store-fixtures.ts';

const ALLOW = recommendationsOf('allow', 'allow', 'allow', 'allow');
/** More than are replayed. */
const VALIDATIONS = 1_700;
const ROLE = '{"roleEmail":["A role",0.01]}';
const OTHER = '{"roleEmail":[1,0.01]}';

describe.each(BACK_ENDS)('the time machine with a long log on %s', (backEnd) => {
  let database: TestDatabase;
  let store: Store;
  let removeServer: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    if (backEnd === 'sqlite') database = await sqliteDatabase();
    else {
      const server = await sharedPostgresServer();
      removeServer = () => server.remove();
      database = await server.database();
    }
    store = await database.open();
  }, 120_000);
  afterAll(async () => {
    await store?.close();
    await database?.remove();
    await removeServer?.();
  });

  it('replays a sample, and the known people besides', async () => {
    const caller = await makeCaller(store);
    const { id } = caller.project;
    const settle = async (index: number) => {
      // Everybody comes a second time much later, every fourth person then as a role.
      const person = index % (VALIDATIONS / 2);
      const isRole = index !== person && person % 4 === 0;
      const log = { recommendations: ALLOW, checksJson: isRole ? ROLE : OTHER };
      const visit = { inbox: `person-${person}`, now: START + index * 60_000, log };
      admitted(await store.settle(submissionOf(caller, visit), 60_000));
    };
    for (let at = 0; at < VALIDATIONS; at += 25)
      await Promise.all(Array.from({ length: 25 }, (_, index) => settle(at + index)));
    const known = Array.from({ length: 50 }, (_, index) => {
      const seenAt = START + index * 4 * 60_000;
      const outcome = index < 20 ? ('bad' as const) : ('good' as const);
      return { inbox: `person-${index * 4}`, outcome, reason: null, at: seenAt, seenAt };
    });
    await store.outcomes.record(id, known);

    const { 'POST /projects/:id/time-machine': travel } = timeMachineRoutes({
      longReads: (work) => work(),
      checks: checksWith({}),
    } as Parameters<typeof timeMachineRoutes>[0]);
    const now = START + 2 * DAY;
    const call = {
      admin: { store, now: () => now, plans: new Map([['free', 1]]), actor: 'test' },
      params: { id },
      fields: () => ({ days: 30, policy: { actions: { roleEmail: 'block' } } }),
    } as unknown as Parameters<typeof travel>[0];
    const { body } = await travel(call);
    const { considered, before, after, outcomes, sampledFrom, partial, knownPartial, from } = body;
    expect([sampledFrom, partial, knownPartial]).toEqual([VALIDATIONS, true, false]);
    expect(considered).toBeLessThanOrEqual(1_500);
    expect(considered).toBeGreaterThan(1_400);
    expect(before).toEqual({ allow: considered, flag: 0, block: 0 });
    expect(Math.abs(after.block - considered / 8)).toBeLessThan(considered / 50);
    expect(from).toBeLessThan(START + DAY / 8);
    // The first validation of each known person lets them in. The sample does not have all of these.
    const people = { bad: 20, badBlocked: 0, badFlagged: 0, good: 30, goodBlocked: 0, goodFlagged: 0 };
    expect(outcomes).toEqual({ before: people, after: people });
  }, 240_000);
});
