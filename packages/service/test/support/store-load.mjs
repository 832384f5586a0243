// A process that settles as fast as it can and prints a line for each counted request. The test kills it.
// Arguments: the back end, its file or URL, the project, the key, a name for this run.
import { writeSync } from 'node:fs';
import { judge } from '../../dist/decision/judge.js';
import { plainValidation } from './plain-validation.mjs';

const [backEnd, place, projectId, keyId, run] = process.argv.slice(2);
const store =
  backEnd === 'sqlite'
    ? await (await import('../../dist/store/sqlite/sqlite-store.js')).openSqliteStore({ file: place })
    : await (await import('../../dist/store/postgres/postgres-store.js')).openPostgresStore({
        url: place,
        judge,
      });

let number = 0;
async function settleForever() {
  for (;;) {
    number += 1;
    const inboxHash = `${run}-${number}`;
    // Fewer inboxes than a device’s list holds.
    const deviceHash = `${run}-device-${Math.floor(number / 100)}`;
    const now = Date.now();
    const settlement = await store.settle({
      projectId,
      keyId,
      projectVersion: 1,
      keyVersion: 1,
      keyType: 'server',
      mode: 'live',
      now,
      rateLimit: 1e9,
      visitors: [],
      countRate: true,
      quotaLimit: 1e9,
      month: '2026-11',
      validation: plainValidation({ inboxHash, deviceHash, requestId: inboxHash, now }),
    });
    if (settlement.result !== 'admitted') throw new Error(settlement.result);
    writeSync(1, `${inboxHash}\n`);
  }
}
await Promise.all(Array.from({ length: 32 }, settleForever));
