import type { CheckName, Recommendation } from '../checks.ts';

/** The most that one run takes. */
export const BULK_MAX_ROWS = 10_000;
export const BULK_MAX_FILE_BYTES = 5 * 1024 * 1024;
/** The reason of a row whose IP address is not one. */
export const BULK_BAD_IP = 'ip must be an IP address';
export const BULK_MAX_ROW_LENGTH = 10_000;

export interface BulkRow {
  email: string;
  /** Empty if unknown. */
  ip: string;
}
export type BulkEvent = { rows: BulkResult[] } | BulkEnd;
export interface BulkResult {
  /** The row’s place in the request, from 0. */
  index: number;
  /** `invalid`: the email or the IP address is not one, and no quota was used. */
  recommendation: Recommendation | 'invalid';
  failed: CheckName[];
  /** Why, in words: the list or the rule that decides, then the failed checks. Empty if there are none. */
  reason: string;
}
export interface BulkEnd {
  /** `quota`: it ran out before the last row. `stopped`: the service is shutting down, or it took too long. */
  end: 'done' | 'quota' | 'stopped' | 'failed';
  /** What happened and what to do. `null` when every row was checked. */
  message: string | null;
  checked: number;
  quota: { limit: number; used: number; resetAt: string };
}
