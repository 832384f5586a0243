import { DAY_MS, signalFamily } from '@postern/contract';
import { type JudgementUndo, REVIEW_MAX_COUNTED, type ReviewView } from '@postern/contract/dashboard';
import { pageOf } from '../model/page.ts';
import type { LogRow } from '../store/store.ts';
import { type Administration, NotFound, quoted } from './administration.ts';
import { findProject } from './change-project.ts';
import { judgedAs, judgementsOf, MAX_OF_PERSON, portions, recordPortion } from './judgements.ts';
import {
  type DashboardHandlers,
  ok,
  queryChoice,
  queryNumber,
  queryText,
  Refused,
  type RouteCall,
} from './operation.ts';
import { badShares } from './outcomes.ts';
import { perform } from './perform.ts';
import { filterOf } from './read-log-filter.ts';
import { validationRow } from './validation-row.ts';

const ROWS = 50;
const MAX_ROWS = 200;
/** How many of the oldest rows are considered when sorting by risk. */
const RISK_ROWS = 1_000;
/** A row that was passed on comes back after this time, in case no other member decides it. */
const PASSED_MS = 7 * DAY_MS;
const SHARES_KEPT_MS = 60_000;

type Shares = ReadonlyMap<string, number>;
interface KeptShares {
  readonly until: number;
  readonly shares: Promise<Shares>;
}
const NO_SHARES: Shares = new Map();
const sharesKept = new WeakMap<Administration['store'], Map<string, KeptShares>>();

export const reviewOperations = {
  'GET /projects/:id/review': async (call) => ok(await reviewQueue(call)),
  /** One member’s decision. If another decided before, nothing is changed. */
  'POST /projects/:id/review/:validationId/decide': async ({ admin, params, body }) => {
    const { id, validationId } = params;
    const project = await findProject(admin, id);
    if ((await admin.store.log.find(project.id, validationId)) === undefined)
      throw new NotFound(`There is no validation ${quoted(validationId)}.`);
    const { decided, undo } = await decide(admin, project.id, [validationId], body, { validationId });
    if (decided === 0) {
      const earlier = await admin.store.review.decisionOn(project.id, validationId);
      const who = earlier?.by === admin.actor ? 'You have' : 'Somebody else has';
      throw new Refused(409, `${who} already decided this one. Nothing was changed.`);
    }
    return ok({ decided: body.decision === 'good' || body.decision === 'bad', undo });
  },
  /** The same decision about many rows. Those that were decided before, or that are gone, are left as they are. */
  'POST /projects/:id/review/decide': async ({ admin, params, body }) => {
    const ids = [...new Set(body.validations)];
    const project = await findProject(admin, params.id);
    const { decided, undo } = await decide(admin, project.id, ids, body);
    return ok({ decided, skipped: ids.length - decided, undo });
  },
} satisfies Partial<DashboardHandlers>;

async function reviewQueue(call: RouteCall<'GET /projects/:id/review'>): Promise<ReviewView> {
  const { admin } = call;
  const order = queryChoice(call, 'order', ['oldest', 'riskiest'] as const) ?? 'oldest';
  const limit = queryNumber(call, 'limit', 0, MAX_ROWS) ?? ROWS;
  const after = queryText(call, 'after') ?? null;
  const filter = filterOf(call);
  const passed = queryText(call, 'passed') === '1';
  const project = await findProject(admin, call.params.id);
  const { review } = admin.store;
  const byRisk = order === 'riskiest';
  const reader = { projectId: project.id, memberId: admin.actor, now: admin.now(), filter, passed };
  const [open, found, shares] = await Promise.all([
    review.count(reader, REVIEW_MAX_COUNTED),
    review.open(reader, byRisk ? null : after, byRisk ? RISK_ROWS + 1 : limit + 1),
    limit === 0 ? NO_SHARES : sharesOf(admin, project.id),
  ]);
  const queue = found
    .slice(0, byRisk ? RISK_ROWS : undefined)
    .map((row) => ({ row, risk: riskOf(row, shares) }));
  if (byRisk) queue.sort((one, other) => (other.risk ?? -1) - (one.risk ?? -1));
  const { rows, next } = pageOf(queue, limit, ({ row }) => row.id);
  return {
    open,
    sorted: byRisk && found.length > RISK_ROWS ? RISK_ROWS : null,
    rows: rows.map(({ row, risk }) => ({ ...validationRow(row), risk })),
    next: byRisk ? null : next,
  };
}

/** Cached, because every open page reads the queue every few seconds, and the shares change slowly. */
function sharesOf(admin: Administration, projectId: string): Promise<Shares> {
  const ofStore = sharesKept.get(admin.store) ?? new Map<string, KeptShares>();
  sharesKept.set(admin.store, ofStore);
  const kept = ofStore.get(projectId);
  if (kept !== undefined && admin.now() < kept.until) return kept.shares;
  const shares = badShares(admin, projectId);
  ofStore.set(projectId, { until: admin.now() + SHARES_KEPT_MS, shares });
  shares.catch(() => ofStore.delete(projectId));
  return shares;
}

/** The highest share of bad people among the signals that it has. */
function riskOf({ signals }: LogRow, shares: Shares): number | null {
  const found = signals.flatMap((signal) => shares.get(signalFamily(signal)) ?? []);
  return found.length === 0 ? null : Math.max(...found);
}

interface Decision {
  readonly decision: 'good' | 'bad' | 'passed' | 'waiting';
  readonly reason?: string | null | undefined;
}

/** Decides the rows that wait, some in each transaction. If another member decides one meanwhile, the others are left. */
async function decide(
  admin: Administration,
  projectId: string,
  ids: readonly string[],
  { decision, reason }: Decision,
  about?: { readonly validationId: string },
): Promise<{ readonly decided: number; readonly undo: JudgementUndo[] }> {
  const { review } = admin.store;
  const noteOf = (signUps: number) =>
    signUps === 0
      ? []
      : ([
          {
            action: 'review.decide',
            project: projectId,
            detail: { ...(about ?? { signUps }), decision },
          },
        ] as const);
  const undo: JudgementUndo[] = [];
  let decided = 0;
  for (const some of portions(ids)) {
    if (decision === 'passed' || decision === 'waiting') {
      const until = admin.now() + (decision === 'passed' ? PASSED_MS : 0);
      decided += await perform(admin, async () => {
        const rows = await review.waiting(projectId, some);
        return {
          write: rows.map(({ id }) => review.passing(projectId, id, admin.actor, until)),
          note: noteOf(rows.length),
          answer: rows.length,
        };
      });
      continue;
    }
    const done = await recordPortion(admin, projectId, async () => {
      const rows = await review.waiting(projectId, some);
      const people = rows.map((newest) => ({ newest, logIds: [newest.id] }));
      const known = await judgementsOf(admin, projectId, people);
      const judged = people.map((person) =>
        judgedAs(admin, person, known.get(person.newest.inboxHash) ?? null, decision, reason || null),
      );
      const decisions = judged.map(({ person }) => person);
      return {
        write: review.decision(projectId, decisions),
        note: noteOf(rows.length),
        answer: judged,
      };
    });
    decided += done.length;
    for (const one of done) noteUndo(undo, one);
  }
  return { decided, undo };
}

/** A person with several rows is taken back once: from the last decision to what was known before the first. */
function noteUndo(undo: JudgementUndo[], next: JudgementUndo): void {
  const index = undo.findIndex(({ inbox }) => inbox === next.inbox);
  const earlier = undo[index];
  if (earlier === undefined) undo.push(next);
  else
    undo[index] = {
      ...next,
      previous: earlier.previous,
      validations: [...earlier.validations, ...next.validations].slice(0, MAX_OF_PERSON),
    };
}
