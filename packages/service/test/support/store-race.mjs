// A process that sends its share of requests at once and prints how many were admitted.
// Arguments: the back end, its file or URL, the project, the key, how many requests, the limit of the quota.
import { NO_FACTS } from '../../dist/model/facts-for-rules.js';

const [backEnd, place, projectId, keyId, requests, quotaLimit] = process.argv.slice(2);
// PostgreSQL measures its own limits, which the slow clock does not reach.
const patience = { limitMs: 120_000, onWait: () => {} };
const store =
  backEnd === 'sqlite'
    ? await (await import('../../dist/store/sqlite/sqlite-store.js')).openSqliteStore({ file: place })
    : await (await import('../../dist/store/postgres/postgres-store.js')).openPostgresStore({
        url: place,
        patience,
      });

const log = {
  requestId: 'r',
  maskedAddress: 'j***@example.com',
  domain: 'example.com',
  maskedIp: null,
  sdkVersion: null,
  actions: {},
  failed: [],
  signals: [],
  checksJson: '{}',
  recommendations: '0'.repeat(32),
  rules: [{ live: [], shadow: [] }],
  lists: [[]],
  facts: NO_FACTS,
  effects: [],
  latencyMs: 1,
  statistics: { ran: 'syntax', domainClass: 'business' },
};

// All processes wait for the signal to start together.
await new Promise((resolve) => {
  process.once('message', resolve);
  process.send?.('ready');
});
const settlements = await Promise.all(
  Array.from({ length: Number(requests) }, (_, index) => {
    const inboxHash = `${process.pid}-${index}`;
    const terms = { threshold: 3, commonNetworks: 10, flagClaims: false, mistyped: 0 };
    const device = { deviceHash: 'shared', networkHash: null, ...terms };
    const claim = { isClaim: false, networkHash: null, confirmedOnly: false };
    return store.settle({
      projectId,
      keyId,
      projectVersion: 1,
      keyVersion: 1,
      keyType: 'server',
      mode: 'live',
      now: Date.now(),
      rateLimit: 1e9,
      visitors: [],
      countRate: true,
      quotaLimit: Number(quotaLimit),
      month: '2026-11',
      validation: { inboxHash, spellingHash: inboxHash, claim, device, retentionMs: 1e12, log },
    });
  }),
);
process.send?.(
  settlements
    .filter(({ result }) => result === 'admitted')
    .map(({ history }) => history.device.previousSignups),
);
await store.close();
process.disconnect?.();
