// A process that sends its share of requests at once and prints how many were admitted.
// Arguments: the back end, its file or URL, the project, the key, how many requests, the limit of the quota.
import { judge } from '../../dist/decision/judge.js';
import { plainValidation } from './plain-validation.mjs';

const [backEnd, place, projectId, keyId, requests, quotaLimit] = process.argv.slice(2);
// PostgreSQL measures its own limits, which the slow clock does not reach.
const patience = { limitMs: 120_000, onWait: () => {} };
const store =
  backEnd === 'sqlite'
    ? await (await import('../../dist/store/sqlite/sqlite-store.js')).openSqliteStore({ file: place })
    : await (await import('../../dist/store/postgres/postgres-store.js')).openPostgresStore({
        url: place,
        judge,
        patience,
      });

// All processes wait for the signal to start together.
await new Promise((resolve) => {
  process.once('message', resolve);
  process.send?.('ready');
});
const settlements = await Promise.all(
  Array.from({ length: Number(requests) }, (_, index) => {
    const inboxHash = `${process.pid}-${index}`;
    const now = Date.now();
    return store.settle({
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
      quotaLimit: Number(quotaLimit),
      month: '2026-11',
      validation: plainValidation({ inboxHash, deviceHash: 'shared', requestId: 'r', now }),
    });
  }),
);
process.send?.(
  settlements
    .filter(({ result }) => result === 'admitted')
    .map(({ validated }) => validated.history.device.previousSignups),
);
await store.close();
process.disconnect?.();
