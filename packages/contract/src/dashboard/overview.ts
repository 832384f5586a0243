import type { CheckName } from '../checks.ts';

/** GET /projects/:id/overview?from=&to=&timeZone=: days begin at midnight in that time zone (UTC by default). */
export interface Overview {
  from: number;
  to: number;
  /** One row for each hour or day, oldest first, without gaps. A day that changes the clock has 23 or 25 hours. */
  bucketMs: number;
  series: {
    at: number;
    until: number;
    allow: number;
    flag: number;
    block: number;
    rateLimited: number;
    quotaExceeded: number;
  }[];
  totals: {
    validations: number;
    allow: number;
    flag: number;
    block: number;
    rateLimited: number;
    quotaExceeded: number;
  };
  failedChecks: { check: CheckName; count: number }[];
  signals: { signal: string; count: number }[];
  domains: { domain: string; count: number; blocked: number }[];
  /** Of the rows’ `latencyMs`: what the checks took, without the counting and the answer. */
  latencyMs: { p50: number; p95: number; p99: number } | null;
  /** How many log rows the four above were worked out from; `true` when the newest of them stand for all. */
  sampled: { rows: number; partial: boolean };
  quota: { limit: number; used: number; resetAt: string };
}
