import type { CheckName } from '../checks.ts';

/** The statistics count half hours, so a span begins and ends with one. */
export const STATISTICS_STEP_MS = 30 * 60 * 1_000;

/**
 * Days begin at midnight in the time zone that was asked for. All numbers come from the statistics, which count live keys
 * only and are kept for 400 days.
 */
export interface Overview {
  from: number;
  to: number;
  timeZone: string;
  /** One row for each hour or day, oldest first, without gaps. A day that changes the clock has 23 or 25 hours. */
  bucketMs: number;
  /** `partial`: the bar is only a part of its hour or day, because the span begins or ends there. */
  series: ({ at: number; until: number; partial: boolean } & OverviewCounts)[];
  totals: OverviewTotals;
  /** The span before `from`, of the same length. If this span is not over, only as much as has passed of it. */
  previous: { from: number; to: number; totals: OverviewTotals };
  /** In the order of the checks; only those that ran. `series` has the failures in each bar. */
  checks: { check: CheckName; ran: number; failed: number; previousFailed: number; series: number[] }[];
  /** Most frequent first. Signals with a number, such as `device_seen_<N>_times`, are one. */
  signals: { signal: string; count: number; previous: number; series: number[] }[];
  /** The hundred most frequent and the hundred most often blocked, most frequent first. So are the further lists. */
  /** `readable` has the letters of an international name, where `domain` is as DNS has it. */
  domains: ({ domain: string; readable: string } & Share)[];
  domainClasses: ({ domainClass: 'free' | 'business' | 'relay' | 'disposable' } & Share)[];
  countries: ({ country: string } & Share)[];
  networks: ({ asn: number; name: string } & Share)[];
  /** How many different ones were counted. */
  found: { domains: number; networks: number };
  keys: ({ keyId: string } & Share)[];
  /** What was reported of people in this time. */
  outcomes: { accepted: number; good: number; bad: number };
  /** What callers waited, as `metadata.totalLatency` told them; each within a tenth, up to a second late. */
  latencyMs: { p50: number; p95: number; p99: number } | null;
  coverage: {
    /** `false` when there were too many to count each: counts of the frequent ones are then slightly too high. */
    domainsExact: boolean;
    networksExact: boolean;
  };
  quota: { limit: number; used: number; resetAt: string };
}

export interface OverviewCounts {
  allow: number;
  flag: number;
  block: number;
  rateLimited: number;
  quotaExceeded: number;
}

export interface OverviewTotals extends OverviewCounts {
  validations: number;
}

interface Share {
  count: number;
  blocked: number;
}
