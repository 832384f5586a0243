import type { AdministeredStore } from '../../src/store/administered-store.ts';
import type { Patience } from '../../src/store/deadline.ts';

/** Requests give up after a second or two, which a busy machine may need. A test of something else waits longer. */
export const PATIENCE: Patience = { limitMs: 60_000, onWait: () => {} };

/** The store with as much time for a request as a command has. */
export function patientStore(store: AdministeredStore): AdministeredStore {
  return {
    ...store,
    findKey: (hash, timeoutMs = PATIENCE.limitMs) => store.findKey(hash, timeoutMs),
    settle: (submission, timeoutMs = PATIENCE.limitMs) => store.settle(submission, timeoutMs),
  };
}
