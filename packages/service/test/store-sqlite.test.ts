import { afterAll, expect, it } from 'vitest';
import { noteOperations } from './support/noted-operations.ts';
import { callOtherOperations } from './support/other-operations.ts';
import { sqliteDatabase } from './support/sqlite-database.ts';
import { noteSqliteStatements, sqliteFaults } from './support/sqlite-plans.ts';
import { storeContract } from './support/store-contract.ts';
import type { TestDatabase } from './support/store-fixtures.ts';

const operations = noteOperations();
const noted = noteSqliteStatements();
afterAll(() => noted.remove());

const makeDatabase = async (): Promise<TestDatabase> => operations.of(await sqliteDatabase());

storeContract('SQLite', makeDatabase);

/** They ask nothing of growing tables. */
const WITHOUT_PLAN =
  /^(applyConfiguration|audit\.(note)?[sS]treamed(To)?|compact|connections|events\.deliveries\.drop|events\.webhooks\.\w+|members\.\w+|verify)$/;

it('SQLite uses the best index of growing tables, in every statement of the tests above', async () => {
  await callOtherOperations(makeDatabase);
  expect(operations.uncalled().filter((operation) => !WITHOUT_PLAN.test(operation))).toEqual([]);
  expect(sqliteFaults(noted.statements())).toEqual([]);
});
