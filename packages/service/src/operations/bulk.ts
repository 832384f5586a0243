import type { BulkEnd, BulkEvent, BulkRow } from '@postern/contract/dashboard';
import type { Log } from '../log.ts';
import { monthlyQuota, type Project } from '../model/project.ts';
import { monthEnd, monthOf } from '../model/windows.ts';
import { audit } from './administration.ts';
import { bulkResult, checkRows, projectQuota } from './bulk-check.ts';
import type { BulkCheckSlot, BulkCheckSlots } from './bulk-check-slots.ts';
import { findProject } from './change-project.ts';
import type { CheckAddressParts } from './check-address.ts';
import {
  type DashboardCall,
  type DashboardHandlers,
  memberOf,
  Refused,
  type RouteCall,
  streamed,
} from './operation.ts';

export interface BulkParts extends Omit<CheckAddressParts, 'now'> {
  readonly bulkCheckSlots: BulkCheckSlots;
  readonly log: Log;
}

/** At most 200 rows a second: a few percent of a processor, and few questions at once for the DNS resolver. */
const ROWS_AT_ONCE = 16;
const LEAST_MS = 80;
/** The longest a run can take if every look-up times out. */
const MAX_RUN_MS = 20 * 60_000;

export function bulkRoutes(parts: BulkParts) {
  return {
    'POST /projects/:id/bulk': (call) => start(parts, call),
  } satisfies Partial<DashboardHandlers>;
}

async function start(parts: BulkParts, call: RouteCall<'POST /projects/:id/bulk'>) {
  const { rows } = call.body;
  const project = await findProject(call.admin, call.params.id);
  if (project.archivedAt !== null)
    throw new Refused(409, 'This project is archived. Restore it before you check addresses with it.');
  const now = call.admin.now();
  const slot = parts.bulkCheckSlots.acquire(memberOf(call).id, now + MAX_RUN_MS, now);
  return streamed(releasing(eventLines(parts, call, project, rows, slot), slot), {
    'Content-Type': 'application/x-ndjson; charset=utf-8',
    // A proxy must not hold back the progress.
    'X-Accel-Buffering': 'no',
  });
}

async function* eventLines(
  parts: BulkParts,
  call: DashboardCall,
  project: Project,
  rows: readonly BulkRow[],
  slot: BulkCheckSlot,
): AsyncGenerator<string> {
  const { admin } = call;
  let checked = 0;
  let end: BulkEnd['end'] | 'cancelled' = 'cancelled';
  try {
    const quota = projectQuota(admin, project, (fault) =>
      parts.log.warn({ err: fault }, 'could not write a quota.reached event; trying again with a later row'),
    );
    const terms = { ...project, ip: undefined, userAgent: undefined };
    const run = {
      rows,
      terms,
      quota,
      atOnce: ROWS_AT_ONCE,
      leastMs: LEAST_MS,
      isStopped: () => slot.mustStop(admin.now()),
    };
    const steps = checkRows({ ...parts, now: admin.now }, run);
    for (;;) {
      const step = await steps.next();
      // The caller does not read on.
      if (slot.isReleased()) return;
      if (step.done) {
        end = step.value;
        break;
      }
      checked += step.value.length;
      yield line({ rows: step.value.map(({ index, report }) => ({ index, ...bulkResult(report) })) });
    }
    yield line(await endOf(call, project, end, checked, rows.length));
  } catch (fault) {
    // The status was sent long ago, so the last line has to say it.
    end = 'failed';
    parts.log.error({ err: fault }, 'a file of addresses could not be checked to the end');
    yield line(await endOf(call, project, end, checked, rows.length));
  } finally {
    await audit(admin, 'bulk.check', project.id, { rows: rows.length, checked, end }).catch(
      (fault: unknown) =>
        parts.log.error({ err: fault }, 'could not write the audit entry of a checked file'),
    );
  }
}

function line(event: BulkEvent): string {
  return `${JSON.stringify(event)}\n`;
}

async function endOf(
  { admin }: DashboardCall,
  project: Project,
  end: BulkEnd['end'],
  checked: number,
  total: number,
): Promise<BulkEnd> {
  const quotaLimit = monthlyQuota(project, admin.plans);
  // The store may be the reason for the end.
  const quotaUsed = await admin.store.projects.usage(project.id, monthOf(admin.now())).catch(() => 0);
  const resetAt = monthEnd(admin.now());
  return {
    end,
    message: endMessage(end, total - checked, resetAt),
    checked,
    quota: { limit: quotaLimit, used: quotaUsed, resetAt },
  };
}

function endMessage(end: BulkEnd['end'], left: number, resetAt: string): string | null {
  const rest = `${left} ${left === 1 ? 'row was' : 'rows were'} not checked.`;
  switch (end) {
    case 'done':
      return null;
    case 'quota':
      return `The month’s quota is used up. ${rest} The quota starts again on ${resetAt.slice(0, 10)} (UTC), or raise it in the settings.`;
    case 'stopped':
      return `The service stopped this run. ${rest} Check them in another run.`;
    case 'failed':
      return `The service could not go on. ${rest} Try them again in a moment; the service’s log has the reason.`;
  }
}

/** Gives the slot back when the stream has ended or is not read any more, even if it was never started. */
function releasing(lines: AsyncGenerator<string>, slot: BulkCheckSlot): AsyncIterable<string> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const step = await lines.next();
        if (step.done) slot.release();
        return step;
      },
      return: async () => {
        slot.release();
        return lines.return(undefined);
      },
    }),
  };
}
