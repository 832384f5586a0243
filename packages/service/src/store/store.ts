import type { AuthDatabase } from './auth-database.ts';
import type { ClockStore } from './clock.ts';
import type { Erasure } from './erasure.ts';
import type { QuotaGrant, QuotaRequest } from './quota-grant.ts';
import type { Settlement, Submission } from './submission.ts';
import type { AnswerStore } from './tables/answer-table.ts';
import type { AuditStore } from './tables/audit-table.ts';
import type { CampaignStore } from './tables/campaign-table.ts';
import type { ChallengeStore } from './tables/challenge-table.ts';
import type { ClaimStore } from './tables/claim-table.ts';
import type { committing } from './tables/commit.ts';
import type { CounterStore } from './tables/counter-table.ts';
import type { EventStore } from './tables/event-table.ts';
import type { InstanceStore } from './tables/instance-table.ts';
import type { KeyStore, KeyWithProject } from './tables/key-table.ts';
import type { LogStore } from './tables/log-table.ts';
import type { MemberStore } from './tables/member-table.ts';
import type { OutcomeStore } from './tables/outcome-table.ts';
import type { PolicyVersionStore } from './tables/policy-version-table.ts';
import type { ProjectStore } from './tables/project-table.ts';
import type { ReviewStore } from './tables/review-table.ts';
import type { SdkFileStore } from './tables/sdk-file-table.ts';
import type { MemoryStore } from './tables/sighting-table.ts';
import type { StatisticsStore } from './tables/statistics-table.ts';
import type { TimelineStore } from './tables/timeline-table.ts';

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
export interface Store {
  findKey(hash: string, timeoutMs?: number): Promise<KeyWithProject | undefined>;
  /**
   * Counts, remembers, judges and logs a request in one transaction. When this throws StoreUnavailable, the request may
   * have been counted.
   */
  settle(submission: Submission, timeoutMs?: number): Promise<Settlement>;
  /** Gives back the quota that `settle` consumed, when a later step failed. */
  refund(projectId: string, month: string): Promise<void>;
  /** Uses validations of the quota without a request, as many as are left. Exact, like `settle`. */
  takeQuota(request: QuotaRequest): Promise<QuotaGrant>;

  readonly projects: ProjectStore;
  /** Writes the changes of an operation together with what the audit log says of them. */
  readonly commit: ReturnType<typeof committing>;
  readonly keys: KeyStore;
  readonly log: LogStore;
  readonly memory: MemoryStore;
  readonly erasure: Erasure;
  readonly answers: AnswerStore;
  readonly instance: InstanceStore;
  readonly audit: AuditStore;
  readonly outcomes: OutcomeStore;
  readonly challenges: ChallengeStore;
  readonly claims: ClaimStore;
  readonly campaigns: CampaignStore;
  readonly review: ReviewStore;
  readonly events: EventStore;
  readonly statistics: StatisticsStore;
  readonly members: MemberStore;
  readonly counters: CounterStore;
  readonly policyVersions: PolicyVersionStore;
  readonly timeline: TimelineStore;
  readonly sdkFiles: SdkFileStore;
  readonly auth: AuthDatabase;
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
