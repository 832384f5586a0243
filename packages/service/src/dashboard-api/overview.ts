import { CHECK_NAMES, type CheckName } from '@postern/contract';
import type { Overview } from '@postern/contract/dashboard';
import { InvalidInput } from '../administration/administration.ts';
import { findProject, projectWithUsage } from '../administration/projects.ts';
import { findTimeZone } from '../model/time-zone.ts';
import { DAY_MS, HOUR_MS, monthEnd } from '../model/windows.ts';
import type { UsageHour } from '../store/store.ts';
import { type DashboardCall, type DashboardRoute, ok, param, queryNumber, queryText } from './route.ts';

const DEFAULT_SPAN_MS = 7 * DAY_MS;
/** Up to this span each bar is an hour. Beyond it, a day. */
const HOURLY_SPAN_MS = 3 * DAY_MS;
const MAX_SPAN_MS = 400 * DAY_MS;
/** How many of the newest rows are read for what the hourly counts do not have. */
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
  const { starts, from, to, bucketMs } = spanOf(call, now);
  const [hours, digest, usage] = await Promise.all([
    admin.store.log.usage(project.id, from, to),
    admin.store.log.digest(project.id, from, to, ROWS_LOOKED_AT),
    projectWithUsage(admin, project),
  ]);
  const series = seriesOf(hours, starts, to);
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

interface Span {
  /** When each bar begins. */
  readonly starts: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly bucketMs: number;
}

/** The span in whole hours, or in whole days of the viewer's time zone, the current one included. */
function spanOf(call: DashboardCall, now: number): Span {
  const end = queryNumber(call, 'to', 0, Number.MAX_SAFE_INTEGER) ?? now;
  const start = queryNumber(call, 'from', 0, Number.MAX_SAFE_INTEGER) ?? end - DEFAULT_SPAN_MS;
  if (start >= end) throw new InvalidInput('from', 'from must be earlier than to.');
  if (end - start > MAX_SPAN_MS) throw new InvalidInput('from', 'A range has at most 400 days.');
  const zone = findTimeZone(queryText(call, 'timeZone') ?? 'UTC');
  if (zone === undefined)
    throw new InvalidInput('timeZone', 'timeZone must be a name such as Europe/Berlin or UTC.');
  const hourly = end - start <= HOURLY_SPAN_MS;
  const next = hourly ? (at: number) => at + HOUR_MS : zone.nextDay;
  const starts = [hourly ? Math.floor(start / HOUR_MS) * HOUR_MS : zone.startOfDay(start)];
  let to = next(starts[0] ?? start);
  while (to < end) {
    starts.push(to);
    to = next(to);
  }
  return { starts, from: starts[0] ?? start, to, bucketMs: hourly ? HOUR_MS : DAY_MS };
}

type Bucket = Overview['series'][number];
type Counts = Omit<Bucket, 'at' | 'until'>;

const FIELD: Readonly<Record<UsageHour['kind'], keyof Counts>> = {
  allow: 'allow',
  flag: 'flag',
  block: 'block',
  'rate-limited': 'rateLimited',
  'quota-exceeded': 'quotaExceeded',
};

/** Hours come in order. If a day begins at half past, an hour belongs to the day in which it begins. */
function seriesOf(hours: readonly UsageHour[], starts: readonly number[], to: number): Bucket[] {
  const buckets: Bucket[] = starts.map((at, index) => ({
    at,
    until: starts[index + 1] ?? to,
    allow: 0,
    flag: 0,
    block: 0,
    rateLimited: 0,
    quotaExceeded: 0,
  }));
  let current = 0;
  for (const { hour, kind, count } of hours) {
    while (current < buckets.length - 1 && hour >= (buckets[current]?.until ?? 0)) current += 1;
    const bucket = buckets[current];
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
