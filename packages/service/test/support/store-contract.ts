import { afterAll, beforeAll, describe } from 'vitest';
import type { AdministeredStore } from '../../src/store/administered-store.ts';
import { accountsContract } from './store-contract-accounts.ts';
import { campaignsContract } from './store-contract-campaigns.ts';
import { countingContract } from './store-contract-counting.ts';
import { crowdsContract } from './store-contract-crowds.ts';
import { erasureContract } from './store-contract-erasure.ts';
import { eventsContract } from './store-contract-events.ts';
import { inboxContract } from './store-contract-inboxes.ts';
import { insightContract } from './store-contract-insight.ts';
import { limitsContract } from './store-contract-limits.ts';
import { logContract } from './store-contract-log.ts';
import { longLogContract } from './store-contract-long-log.ts';
import { memberContract } from './store-contract-members.ts';
import { memoryContract } from './store-contract-memory.ts';
import { outcomesContract } from './store-contract-outcomes.ts';
import { reviewContract } from './store-contract-review.ts';
import { sdkFilesContract } from './store-contract-sdk-files.ts';
import { statisticsContract } from './store-contract-statistics.ts';
import { timelinesContract } from './store-contract-timelines.ts';
import type { TestDatabase } from './store-fixtures.ts';

export interface Stores {
  /** The same database opened twice, as by two processes. */
  readonly store: AdministeredStore;
  readonly other: AdministeredStore;
  readonly fresh: () => Promise<TestDatabase>;
}

/** The tests that every back end must pass. */
export function storeContract(backEnd: string, makeDatabase: () => Promise<TestDatabase>): void {
  describe(`the ${backEnd} store`, () => {
    let database: TestDatabase;
    let store: AdministeredStore;
    let other: AdministeredStore;
    beforeAll(async () => {
      database = await makeDatabase();
      [store, other] = await Promise.all([database.open(), database.open()]);
    });
    afterAll(async () => {
      await Promise.all([store?.close(), other?.close()]);
      await database?.remove();
    });
    const stores: Stores = {
      get store() {
        return store;
      },
      get other() {
        return other;
      },
      fresh: makeDatabase,
    };
    countingContract(stores);
    limitsContract(stores);
    memoryContract(stores);
    crowdsContract(stores);
    inboxContract(stores);
    logContract(stores);
    accountsContract(stores);
    memberContract(stores);
    insightContract(stores);
    erasureContract(stores);
    eventsContract(stores);
    outcomesContract(stores);
    reviewContract(stores);
    campaignsContract(stores);
    statisticsContract(stores);
    timelinesContract(stores);
    sdkFilesContract(stores);
    longLogContract(stores);
  });
}
