import { csvLine } from '@postern/contract/csv';
import type { Overview } from '@postern/contract/dashboard';
import { monthEnd } from '../model/windows.ts';
import { findProject, projectWithUsage } from './change-project.ts';
import { figuresOf } from './figures.ts';
import { csv, type DashboardHandlers, ok, type RouteCall } from './operation.ts';
import { spanOf } from './time-span.ts';

export const overviewRoutes = {
  'GET /projects/:id/overview': async (call) => ok(await overview(call)),
  'GET /projects/:id/overview.csv': async (call) =>
    csv(`overview-${call.params.id}`, overviewLines(await overview(call))),
} satisfies Partial<DashboardHandlers>;

async function overview(call: RouteCall<'GET /projects/:id/overview'>): Promise<Overview> {
  const { admin } = call;
  const now = admin.now();
  const project = await findProject(admin, call.params.id);
  const { from, to, bucketMs, timeZone, ...bars } = spanOf(call, now);
  const slots = admin.store.statistics.read(project.id, bars.previous.from, to);
  const [figures, usage] = await Promise.all([
    figuresOf(slots, { ...bars, to }),
    projectWithUsage(admin, project),
  ]);
  return {
    from,
    to,
    timeZone,
    bucketMs,
    ...figures,
    quota: { limit: usage.quotaLimit, used: usage.quotaUsed, resetAt: monthEnd(now) },
  };
}

/** One line for each bar: the counts, and the failures of each check. */
async function* overviewLines({ series, checks }: Overview): AsyncGenerator<string> {
  yield csvLine([
    'from',
    'to',
    'validations',
    'allow',
    'flag',
    'block',
    'rateLimited',
    'quotaExceeded',
    ...checks.map(({ check }) => `${check} failed`),
  ]);
  for (const [index, bar] of series.entries()) {
    const { allow, flag, block, rateLimited, quotaExceeded } = bar;
    const counts = [allow + flag + block, allow, flag, block, rateLimited, quotaExceeded];
    const failed = checks.map((check) => check.series[index] ?? 0);
    const times = [bar.at, bar.until].map((at) => new Date(at).toISOString());
    yield csvLine([...times, ...[...counts, ...failed].map(String)]);
  }
}
