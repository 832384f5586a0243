import type { CheckName, Recommendation } from '@postern/contract';
import type { KeyMode } from '../model/api-key.ts';
import type { LogRow } from './log-row.ts';

/** One value, or several of which one must match. */
export type OneOrMany<T> = T | readonly T[];

export interface LogFilter {
  readonly from?: number;
  readonly to?: number;
  readonly recommendation?: OneOrMany<Recommendation>;
  readonly check?: OneOrMany<CheckName>;
  readonly signal?: OneOrMany<string>;
  readonly domain?: OneOrMany<string>;
  /** Values that a row must not have. */
  readonly not?: Omit<LogFilter, 'not' | 'from' | 'to' | 'deviceHash' | 'inboxHash' | 'mode'>;
  /** A part of the domain. */
  readonly domainPart?: OneOrMany<string>;
  /** As the log shows it: a /24 or a /48. */
  readonly network?: OneOrMany<string>;
  /** Where the IP check found the address to be. */
  readonly country?: OneOrMany<string>;
  readonly asn?: OneOrMany<number>;
  /** A rule of the project that matched, live or shadow. */
  readonly rule?: OneOrMany<string>;
  /** An entry of the project’s lists that decided. */
  readonly list?: OneOrMany<string>;
  readonly deviceHash?: string;
  readonly inboxHash?: string;
  readonly mode?: KeyMode;
}

export interface LogPage {
  readonly rows: LogRow[];
  /** Pass it on for the next page; `null` at the end. */
  readonly next: string | null;
}

/** A request that a limit refused. It has no log row, but the statistics count it. */
export type RefusalKind = 'rate-limited' | 'quota-exceeded';

export interface LogStore {
  /** Newest first. */
  page(projectId: string, filter: LogFilter, limit: number, cursor: string | null): Promise<LogPage>;
  find(projectId: string, id: string): Promise<LogRow | undefined>;
  /** The newest row with that request ID. */
  findByRequest(projectId: string, requestId: string): Promise<LogRow | undefined>;
  /** The same for several request IDs, by request ID. */
  findByRequests(projectId: string, requestIds: readonly string[]): Promise<ReadonlyMap<string, LogRow>>;
  /** The rows of these milliseconds, in any order. */
  at(projectId: string, moments: readonly number[]): Promise<LogRow[]>;
  /** The newest rows of each project since that time, at most `limit` of each, in one query. */
  newest(projectIds: readonly string[], since: number, limit: number): Promise<LogRow[]>;
  /** Whether there are more rows than that between two times, `to` not included. */
  isLongerThan(projectId: string, span: { from: number; to: number }, rows: number): Promise<boolean>;
  /** When the oldest row was written. `null` if there is none. */
  oldestAt(projectId: string): Promise<number | null>;
  /** Counts a refusal that `settle` did not see. */
  countRefusal(projectId: string, at: number, kind: RefusalKind): Promise<void>;
}
