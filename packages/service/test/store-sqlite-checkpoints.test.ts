import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sqliteDatabase } from './support/sqlite-database.ts';
import { makeCaller, seeDevice } from './support/store-fixtures.ts';

it('starts the write-ahead log again before it gets large', async () => {
  const database = await sqliteDatabase();
  const store = await database.open();
  const caller = await makeCaller(store);
  let largest = 0;
  // One after the other, so that each is a transaction of its own, of a dozen pages or more.
  for (let person = 0; person < 1_500; person += 1) {
    await seeDevice(store, caller, { device: `d${person}`, inbox: `i${person}` });
    if (person % 50 === 0) largest = Math.max(largest, (await stat(`${database.file}-wal`)).size);
  }
  // Not after every few commits: on a disk that is fast enough, each checkpoint starts the log again.
  expect(largest).toBeGreaterThan(2 ** 20);
  // SQLite itself would do it at 64 MiB.
  expect(largest).toBeLessThan(48 * 2 ** 20);
  await store.close();
  await database.remove();
});
