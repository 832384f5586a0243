import type { ClockStore } from './clock.ts';
import type { Erasure } from './erasure.ts';
import type { Settlement, Submission } from './submission.ts';
import type { TableStores } from './table-stores.ts';
import type { KeyWithProject } from './tables/key-table.ts';
import type { QuotaGrant, QuotaRequest } from './tables/take-quota.ts';

export type { LogRow } from './log-row.ts';
export { StoreConflict, StoreUnavailable } from './store-errors.ts';
export type {
  QuotaState,
  RateState,
  Settlement,
  Submission,
  ValidationRecord,
  Visitor,
} from './submission.ts';
export type { SightingRow } from './tables/sighting-table.ts';

/**
 * Everything Postern keeps. Two back ends implement it, and one contract suite tests both.
 *
 * A request needs two operations: `findKey`, which a cache may answer as long as the versions in its answer are
 * confirmed later, and `settle`, which confirms them, counts, remembers and logs in one transaction. Calls that
 * arrive together are sent together. Both throw StoreUnavailable when there is no answer after `timeoutMs`, by
 * default REQUEST_TIMEOUT_MS.
 */
export interface Store extends TableStores {
  findKey(hash: string, timeoutMs?: number): Promise<KeyWithProject | undefined>;
  /**
   * Counts, remembers, judges and logs a request in one transaction. When this throws StoreUnavailable, the request may
   * have been counted.
   */
  settle(submission: Submission, timeoutMs?: number): Promise<Settlement>;
  /** Uses validations of the quota without a request, as many as are left. Exact, like `settle`. */
  takeQuota(request: QuotaRequest): Promise<QuotaGrant>;

  readonly erasure: Erasure;
  readonly clock: ClockStore;

  /** Connections to a database server that requests use; `undefined` for the embedded store. */
  connections(): ConnectionCounts | undefined;
  /** Answers when the store can be used; throws StoreUnavailable when not. */
  ping(): Promise<void>;
  /** Deletes a bounded number of expired rows. Returns how many, 0 when done. */
  sweep(now: number, limits: SweepLimits): Promise<number>;
  /** Gives a little of the embedded store’s unused space back to the disk. PostgreSQL does that by itself. */
  compact(): Promise<CompactionStep>;
  /** Finishes accepted calls, then closes the files or connections. */
  close(): Promise<void>;
}

/** `done` also when too little is unused; `busy` when requests were waiting and nothing was done. */
export type CompactionStep = 'more' | 'busy' | 'done';

export interface ConnectionCounts {
  readonly busy: number;
  readonly idle: number;
  /** Transactions that wait for a free connection. */
  readonly waiting: number;
}

export interface SweepLimits {
  readonly maxRows: number;
  readonly logRetentionMs: number;
  /** How long after a person was last seen an outcome about them counts. */
  readonly outcomeRetentionMs: number;
  /** The log keeps at most this many rows per project. */
  readonly logMaxRows: number;
}
