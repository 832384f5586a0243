import { CHECK_NAMES, type CheckName } from '@postern/contract';
import type { Overview } from '@postern/contract/dashboard';
import { InvalidInput } from '../administration/administration.ts';
import { findProject, projectWithUsage } from '../administration/projects.ts';
import { DAY_MS, HOUR_MS, monthEnd } from '../model/windows.ts';
import type { UsageHour } from '../store/store.ts';
import { type DashboardCall, type DashboardRoute, ok, param, queryNumber } from './route.ts';

const DEFAULT_SPAN_MS = 7 * DAY_MS;
/** Up to here each bar is an hour; beyond, a day. */
const HOURLY_SPAN_MS = 3 * DAY_MS;
const MAX_SPAN_MS = 400 * DAY_MS;
/** What the hourly counts do not know is worked out from so many of the newest rows. */
const ROWS_LOOKED_AT = 10_000;

export const overviewRoutes: DashboardRoute[] = [
  {
    method: 'GET',
    path: '/projects/:id/overview',
    access: 'viewer',
    run: async (call) => ok(await overview(call)),
  },
];

async function overview(call: DashboardCall): Promise<Overview> {
  const { admin } = call;
  const now = admin.now();
  const project = await findProject(admin, param(call, 'id'));
  const { from, to, bucketMs } = spanOf(call, now);
  const [hours, digest, usage] = await Promise.all([
    admin.store.log.usage(project.id, from, to),
    admin.store.log.digest(project.id, from, to, ROWS_LOOKED_AT),
    projectWithUsage(admin, project),
  ]);
  const series = seriesOf(hours, from, to, bucketMs);
  return {
    from,
    to,
    bucketMs,
    series,
    totals: totalsOf(series),
    failedChecks: digest.checks
      .filter(({ name }) => CHECK_NAMES.includes(name as CheckName))
      .map(({ name, count }) => ({ check: name as CheckName, count })),
    signals: digest.signals.map(({ name, count }) => ({ signal: name, count })),
    domains: [...digest.domains],
    latencyMs: digest.latencyMs,
    sampled: { rows: digest.rows, partial: digest.partial },
    quota: { limit: usage.quotaLimit, used: usage.quotaUsed, resetAt: monthEnd(now) },
  };
}

/** The span in whole hours or days of UTC, the one under way included. */
function spanOf(call: DashboardCall, now: number): { from: number; to: number; bucketMs: number } {
  const end = queryNumber(call, 'to', 0, Number.MAX_SAFE_INTEGER) ?? now;
  const start = queryNumber(call, 'from', 0, Number.MAX_SAFE_INTEGER) ?? end - DEFAULT_SPAN_MS;
  if (start >= end) throw new InvalidInput('from', 'from must be earlier than to.');
  if (end - start > MAX_SPAN_MS) throw new InvalidInput('from', 'At most 400 days can be looked at at once.');
  const bucketMs = end - start <= HOURLY_SPAN_MS ? HOUR_MS : DAY_MS;
  return {
    from: Math.floor(start / bucketMs) * bucketMs,
    to: Math.ceil(end / bucketMs) * bucketMs,
    bucketMs,
  };
}

type Bucket = Overview['series'][number];
type Counts = Omit<Bucket, 'at'>;

const FIELD: Readonly<Record<UsageHour['kind'], keyof Counts>> = {
  allow: 'allow',
  flag: 'flag',
  block: 'block',
  'rate-limited': 'rateLimited',
  'quota-exceeded': 'quotaExceeded',
};

function seriesOf(hours: readonly UsageHour[], from: number, to: number, bucketMs: number): Bucket[] {
  const buckets: Bucket[] = [];
  for (let at = from; at < to; at += bucketMs)
    buckets.push({ at, allow: 0, flag: 0, block: 0, rateLimited: 0, quotaExceeded: 0 });
  for (const { hour, kind, count } of hours) {
    const bucket = buckets[Math.floor((hour - from) / bucketMs)];
    if (bucket !== undefined) bucket[FIELD[kind]] += count;
  }
  return buckets;
}

function totalsOf(series: readonly Bucket[]): Overview['totals'] {
  const sum = (field: keyof Counts) => series.reduce((total, bucket) => total + bucket[field], 0);
  const [allow, flag, block] = [sum('allow'), sum('flag'), sum('block')];
  return {
    validations: allow + flag + block,
    allow,
    flag,
    block,
    rateLimited: sum('rateLimited'),
    quotaExceeded: sum('quotaExceeded'),
  };
}
