import type { KeyType } from '@postern/contract';
import type { KeyMode } from '../model/api-key.ts';
import type { History } from '../model/history.ts';
import type { AuthDatabase } from './auth-database.ts';
import type { Erasure } from './erasure.ts';
import type { LogRecord } from './log-entry.ts';
import type { QuotaGrant, QuotaRequest } from './quota-grant.ts';
import type { AnswerStore, HeldClaim } from './tables/answer-table.ts';
import type { AuditStore } from './tables/audit-table.ts';
import type { configurationWriter } from './tables/configuration-writes.ts';
import type { EventStore } from './tables/event-table.ts';
import type { IncidentStore } from './tables/incident-table.ts';
import type { InstanceStore } from './tables/instance-table.ts';
import type { KeyStore, KeyWithProject } from './tables/key-table.ts';
import type { LogStore } from './tables/log-table.ts';
import type { MemberStore } from './tables/member-table.ts';
import type { OutcomeStore } from './tables/outcome-table.ts';
import type { PolicyVersionStore } from './tables/policy-version-table.ts';
import type { ProjectStore } from './tables/project-table.ts';
import type { ReviewStore } from './tables/review-table.ts';
import type { SdkFileStore } from './tables/sdk-file-table.ts';
import type { SourceStore } from './tables/source-table.ts';
import type { StatisticsStore } from './tables/statistics-table.ts';
import type { TimelineStore } from './tables/timeline-table.ts';

export type { HistoryEffect, LogRecord } from './log-entry.ts';
export type { LogRow } from './log-row.ts';
export { StoreConflict, StoreUnavailable } from './store-errors.ts';

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
  /** What is counted after the deadline is undone. */
  settle(submission: Submission, timeoutMs?: number): Promise<Settlement>;
  /** Gives back the quota that `settle` consumed, when a later step failed. */
  refund(projectId: string, month: string): Promise<void>;
  /** Uses validations of the quota without a request, as many as are left. Exact, like `settle`. */
  takeQuota(request: QuotaRequest): Promise<QuotaGrant>;

  readonly projects: ProjectStore;
  /** Changes many projects with their webhooks, all or nothing. */
  readonly applyConfiguration: ReturnType<typeof configurationWriter>;
  readonly keys: KeyStore;
  readonly log: LogStore;
  readonly sources: SourceStore;
  readonly memory: MemoryStore;
  readonly erasure: Erasure;
  readonly answers: AnswerStore;
  readonly instance: InstanceStore;
  readonly audit: AuditStore;
  readonly outcomes: OutcomeStore;
  readonly review: ReviewStore;
  readonly events: EventStore;
  readonly statistics: StatisticsStore;
  readonly members: MemberStore;
  readonly policyVersions: PolicyVersionStore;
  readonly timeline: TimelineStore;
  readonly sdkFiles: SdkFileStore;
  readonly incidents: IncidentStore;
  readonly auth: AuthDatabase;

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

/** What one request counts against the project’s limits, and what is stored if it is admitted. */
export interface Submission {
  readonly projectId: string;
  readonly keyId: string;
  /** The versions that admitted the caller. If the store has others, nothing is counted: `stale`. */
  readonly projectVersion: number;
  readonly keyVersion: number;
  readonly keyType: KeyType;
  readonly mode: KeyMode;
  /** `outcomes`: counted in an hour of its own. Absent: in the hour of the key’s type. */
  readonly lane?: 'outcomes' | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly rateLimit: number;
  /** The networks that a client key’s visitor may have alone, the smallest first; none when no visitor limit applies. */
  readonly visitors: readonly Visitor[];
  /** `false` if an earlier submission of the same request has already counted it. */
  readonly countRate: boolean;
  /** What this key may use of the month’s quota. */
  readonly quotaLimit: number;
  /** The project’s whole quota, where `quotaLimit` leaves out the reserve for server keys. */
  readonly wholeQuota?: number;
  /** `YYYY-MM` in UTC. */
  readonly month: string;
  /** `null` if the request only counts against the rate and reads the quota. */
  readonly validation: ValidationRecord | null;
  /** The claim of its `Idempotency-Key`, which decided the ID of its log row; see `AnswerStore`. */
  readonly claim?: HeldClaim | undefined;
}

/** A network that a client key’s request came from, and how many requests an hour it may make. */
export interface Visitor {
  /** A keyed hash, base64url. */
  readonly hash: string;
  readonly limit: number;
}

/** A validation to be counted against the quota, remembered and logged. With a test key it is only logged. */
export interface ValidationRecord {
  /** Keyed hashes, base64url: of the canonical inbox, and of the spelling that reached it. */
  readonly inboxHash: string;
  readonly spellingHash: string;
  readonly claim: SpellingClaim;
  readonly device: DeviceSighting | null;
  /** Sightings older than this many milliseconds are ignored. */
  readonly retentionMs: number;
  readonly log: LogRecord;
}

/** Who says that the inbox is used under this spelling, and which other spellings count. */
interface SpellingClaim {
  /** Whether only a client key says so, which anybody can use. A backend’s request confirms the spelling. */
  readonly isClaim: boolean;
  /** Where the request came from; `null` when the client’s address is not known. */
  readonly networkHash: string | null;
  /** Whether only confirmed spellings count, because the policy blocks on them. */
  readonly confirmedOnly: boolean;
}

export interface DeviceSighting {
  readonly deviceHash: string;
  /** `null` when the client’s address is not known. */
  readonly networkHash: string | null;
  readonly threshold: number;
  readonly commonNetworks: number;
  /** Whether what only client keys claimed can at most flag, because the policy blocks. */
  readonly flagClaims: boolean;
  /** How many of the device’s other inboxes are probably this person’s, mistyped. */
  readonly mistyped: number;
}

export type Settlement =
  /** The key or the project changed since it was read: read it again and retry. */
  | { readonly result: 'stale' }
  | {
      readonly result: 'rate-limited';
      /** Which limit refused the request. `rate` describes that limit. */
      readonly by: 'project' | 'visitor';
      readonly rate: RateState;
      readonly quota: QuotaState;
    }
  | { readonly result: 'quota-exceeded'; readonly rate: RateState; readonly quota: QuotaState }
  | {
      readonly result: 'admitted';
      readonly rate: RateState;
      readonly quota: QuotaState;
      /** `null` when there was no validation to record. */
      readonly history: History | null;
    };

/** The sliding hour of one project and key type after this request. Test keys have a lane of their own. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds from which the whole limit is free again; now, when nothing is counted. */
  readonly resetAt: number;
  /** Whole seconds, at least 1, after which one more request would be admitted; 0 while one would be. */
  readonly retryAfter: number;
}

export interface QuotaState {
  readonly limit: number;
  readonly used: number;
}

export interface SightingRow {
  readonly deviceHash: string;
  readonly inboxHash: string;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly count: number;
}

/** A project’s history, for display. */
export interface MemoryStore {
  sightingsOfDevice(projectId: string, deviceHash: string, limit: number): Promise<SightingRow[]>;
  /** From the last devices of the inbox. */
  sightingsOfInbox(projectId: string, inboxHash: string, limit: number): Promise<SightingRow[]>;
  /** From all its devices. If there were very many, this looks at every device of the project. */
  allSightingsOfInbox(projectId: string, inboxHash: string): Promise<SightingRow[]>;
  /** The history that a validation would get, without adding to it. */
  recall(projectId: string, asked: HistoryQuery): Promise<History>;
}

export interface HistoryQuery
  extends Pick<ValidationRecord, 'inboxHash' | 'spellingHash' | 'claim' | 'device' | 'retentionMs'> {
  readonly now: number;
}

export interface SweepLimits {
  readonly maxRows: number;
  readonly logRetentionMs: number;
  /** How long after a person was last seen an outcome about them counts. */
  readonly outcomeRetentionMs: number;
  /** The log keeps at most this many rows per project. */
  readonly logMaxRows: number;
}
