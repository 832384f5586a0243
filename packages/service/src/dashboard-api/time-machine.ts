import { CHECK_NAMES, type CheckName, type Recommendation } from '@postern/contract';
import type { TimeMachineReport } from '@postern/contract/dashboard';
import type { PolicyPatch } from '@postern/contract/project-fields';
import { InvalidInput } from '../administration/administration.ts';
import { readProjectFields } from '../administration/project-fields.ts';
import { findProject } from '../administration/projects.ts';
import type { Checks } from '../checks/run-checks.ts';
import type { ProjectPolicy } from '../model/project.ts';
import { DAY_MS } from '../model/windows.ts';
import { createEffectTally } from '../outcomes/effect-tally.ts';
import type { PersonOutcome } from '../store/outcome-store.ts';
import type { LogRow } from '../store/store.ts';
import type { ConcurrencyLimit } from './auth/concurrency-limit.ts';
import { replay } from './replay.ts';
import { type DashboardCall, type DashboardRoute, fieldsOf, ok, param } from './route.ts';
import { validationRow } from './validation-row.ts';
import type { ValidationParts } from './validations.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 365;
const MAX_ROWS = 20_000;
/** Small portions, so that requests can run in between. */
const ROWS_AT_ONCE = 250;
const EXAMPLES = 5;
/** At most one person for each row is looked up; this many outcomes cover projects of any usual size. */
const MAX_OUTCOMES = 1_000_000;

/** What the logged validations would have been under another policy. Changes nothing. */
export function timeMachineRoutes({ longReads, checks }: ValidationParts): DashboardRoute[] {
  return [
    {
      method: 'POST',
      path: '/projects/:id/time-machine',
      access: 'viewer',
      run: async (call) => ok(await travel(call, longReads, checks)),
    },
  ];
}

async function travel(
  call: DashboardCall,
  longReads: ConcurrencyLimit,
  checks: Checks,
): Promise<TimeMachineReport> {
  const { admin } = call;
  const { policy: edits, days = DEFAULT_DAYS } = fieldsOf<{ policy: PolicyPatch; days: number }>(call);
  if (typeof days !== 'number' || !Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new InvalidInput('days', `days must be a whole number from 1 to ${MAX_DAYS}.`);
  const project = await findProject(admin, param(call, 'id'));
  const policy = readProjectFields({ policy: edits }, admin.plans, project.policy).policy ?? project.policy;
  const to = admin.now() + 1;
  const from = to - days * DAY_MS;

  const tally = createTally(checks, project.policy, policy);
  let cursor: string | null = null;
  let looked = 0;
  let oldest = to;
  do {
    const start: string | null = cursor;
    cursor = await longReads(async () => {
      const page = await admin.store.log.page(project.id, { from, to }, ROWS_AT_ONCE, start);
      for (const row of page.rows) tally.add(row);
      oldest = page.rows.at(-1)?.at ?? oldest;
      looked += page.rows.length;
      return page.next;
    });
  } while (cursor !== null && looked < MAX_ROWS);
  const known = await longReads(() => admin.store.outcomes.all(project.id, MAX_OUTCOMES));
  return { ...tally.report(known), from: looked === 0 ? from : oldest, to, partial: cursor !== null };
}

function createTally(checks: Checks, current: ProjectPolicy, policy: ProjectPolicy) {
  const before = { allow: 0, flag: 0, block: 0 };
  const after = { allow: 0, flag: 0, block: 0 };
  const changes = new Map<string, TimeMachineReport['changes'][number]>();
  const unknown = new Set<CheckName>();
  const effects = { before: createEffectTally(), after: createEffectTally() };
  let considered = 0;
  let otherActions = 0;

  const noteChange = (from: Recommendation, to: Recommendation, row: LogRow) => {
    const key = `${from} ${to}`;
    const change = changes.get(key) ?? { from, to, count: 0, examples: [] };
    change.count += 1;
    // Rows come newest first, and the newest are what people remember.
    if (change.examples.length < EXAMPLES) change.examples.push(validationRow(row));
    changes.set(key, change);
  };

  return {
    add(row: LogRow): void {
      if (row.mode === 'test') return;
      const replayed = replay(checks, row, policy);
      considered += 1;
      before[row.recommendation] += 1;
      after[replayed.recommendation] += 1;
      effects.before.add(row.inboxHash, row.recommendation);
      effects.after.add(row.inboxHash, replayed.recommendation);
      for (const check of replayed.unknown) unknown.add(check);
      if (CHECK_NAMES.some((name) => row.actions[name] !== current.actions[name])) otherActions += 1;
      if (replayed.recommendation !== row.recommendation)
        noteChange(row.recommendation, replayed.recommendation, row);
    },
    report: (known: ReadonlyMap<string, PersonOutcome>) => ({
      considered,
      before,
      after,
      changes: [...changes.values()].sort((one, other) => other.count - one.count),
      unknown: CHECK_NAMES.filter((name) => unknown.has(name)),
      otherActions,
      outcomes: { before: effects.before.effect(known), after: effects.after.effect(known) },
    }),
  };
}
