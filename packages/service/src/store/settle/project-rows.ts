import type { Project } from '../../model/project.ts';
import type { CrowdRow } from './crowd.ts';
import type { DeviceRow } from './device.ts';
import type { InboxRow } from './inbox.ts';
import type { BucketChange, LaneRow } from './lane.ts';
import type { LoggedRow } from './logged-row.ts';
import type { NewcomersRow } from './newcomers.ts';

/** The rows of one project that a batch of its requests needs. */
export interface WantedRows {
  /** The latest time of the batch. */
  readonly now: number;
  readonly keys: readonly string[];
  readonly lanes: readonly { readonly lane: string; readonly limit: number }[];
  readonly months: readonly string[];
  readonly inboxes: readonly string[];
  readonly devices: readonly string[];
  /** Keys of crowds. */
  readonly things: readonly string[];
  /** Hashes of `Idempotency-Key`s. */
  readonly idempotencyKeys: readonly string[];
}

/** Those of the wanted rows that exist. No other process can change them until the batch is saved. */
export interface ProjectRows {
  readonly project: Project;
  /** Keys that are not revoked. */
  readonly keys: readonly {
    readonly id: string;
    readonly version: number;
    readonly lastUsedAt: number | null;
  }[];
  readonly lanes: readonly LaneRow[];
  readonly quotas: readonly { readonly month: string; readonly used: number }[];
  readonly inboxes: readonly InboxRow[];
  readonly devices: readonly DeviceRow[];
  readonly crowds: readonly CrowdRow[];
  /** The project’s one row, once a person has come. */
  readonly newcomers: readonly NewcomersRow[];
  readonly answers: readonly { readonly keyHash: string; readonly createdAt: number }[];
}

/** What a batch changes. It is JSON, and both back ends write it with one statement for each list. */
export interface ProjectChanges {
  readonly keys: readonly { readonly id: string; readonly lastUsedAt: number }[];
  readonly buckets: readonly BucketChange[];
  /** What is added to what was used. */
  readonly quotas: readonly { readonly month: string; readonly used: number }[];
  readonly inboxes: readonly InboxRow[];
  readonly devices: readonly DeviceRow[];
  readonly crowds: readonly CrowdRow[];
  readonly newcomers: readonly NewcomersRow[];
  readonly log: readonly LoggedRow[];
  readonly answers: readonly {
    readonly keyHash: string;
    readonly requestHash: string;
    readonly logRow: string;
    readonly createdAt: number;
  }[];
  readonly statistics: readonly { readonly id: string; readonly at: number; readonly lines: string }[];
}
