import { characters, DAY_MS, MAX_OUTCOME_REASON, signalFamily } from '@postern/contract';
import { REVIEW_MAX_COUNTED } from '@postern/contract/dashboard';
import { pageOf } from '../model/page.ts';
import type { LogRow } from '../store/store.ts';
import { type Administration, audit, InvalidInput, NotFound, quoted } from './administration.ts';
import { badShares } from './outcomes.ts';
import { findProject } from './projects.ts';

export type ReviewOrder = 'oldest' | 'riskiest';

interface QueuedValidation {
  readonly row: LogRow;
  readonly risk: number | null;
  /** IDs of members who are looking at it. */
  readonly lookedAtBy: readonly string[];
}

export interface ReviewQueue {
  readonly open: number;
  readonly queue: readonly QueuedValidation[];
  readonly next: string | null;
}

/** How many of the oldest rows are considered when sorting by risk. */
const RISK_ROWS = 1_000;
/** How long a viewer counts as present. The page renews it. */
const LOOK_MS = 30_000;
/** A row that was passed on comes back after this time, in case nobody else decides it. */
const PASSED_MS = 7 * DAY_MS;
const SHARES_KEPT_MS = 60_000;

type Shares = ReadonlyMap<string, number>;
interface KeptShares {
  readonly until: number;
  readonly shares: Promise<Shares>;
}
const NO_SHARES: Shares = new Map();
const sharesKept = new WeakMap<Administration['store'], Map<string, KeptShares>>();

/** With a `limit` of 0 only the open rows are counted. */
export async function reviewQueue(
  admin: Administration,
  projectId: string,
  order: ReviewOrder,
  limit: number,
  after: string | null,
): Promise<ReviewQueue> {
  const project = await findProject(admin, projectId);
  const { review } = admin.store;
  const byRisk = order === 'riskiest';
  const reader = { projectId: project.id, memberId: admin.actor, now: admin.now() };
  const [open, rows, looks, shares] = await Promise.all([
    review.count(reader, REVIEW_MAX_COUNTED),
    review.open(reader, byRisk ? null : after, byRisk ? RISK_ROWS : limit + 1),
    review.looks(project.id, reader.now),
    limit === 0 ? NO_SHARES : sharesOf(admin, project.id),
  ]);
  const queue = rows.map((row) => ({
    row,
    risk: riskOf(row, shares),
    lookedAtBy: looks.get(row.id) ?? [],
  }));
  if (byRisk) queue.sort((one, other) => (other.risk ?? -1) - (one.risk ?? -1));
  const page = pageOf(queue, limit, ({ row }) => row.id);
  return { open, queue: page.rows, next: byRisk ? null : page.next };
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

/** Records that the acting member is viewing a row. Returns who else is. */
export async function lookAtReview(
  admin: Administration,
  projectId: string,
  logId: string,
): Promise<readonly string[]> {
  await findRow(admin, projectId, logId);
  const now = admin.now();
  return admin.store.review.look(projectId, logId, admin.actor, now, now + LOOK_MS);
}

export type ReviewResult = 'decided' | 'passed' | 'already-decided' | 'already-decided-by-you';

/** One member’s decision. If somebody decided before, nothing is changed. */
export async function decideReview(
  admin: Administration,
  projectId: string,
  logId: string,
  fields: { readonly decision?: unknown; readonly reason?: unknown },
): Promise<ReviewResult> {
  const { decision, reason = null } = fields;
  if (decision !== 'good' && decision !== 'bad' && decision !== 'passed')
    throw new InvalidInput('decision', `decision must be good, bad or passed, not ${quoted(decision)}.`);
  if (reason !== null && (typeof reason !== 'string' || characters(reason) > MAX_OUTCOME_REASON))
    throw new InvalidInput('reason', `reason must be a string of at most ${MAX_OUTCOME_REASON} characters.`);
  const row = await findRow(admin, projectId, logId);
  const { review } = admin.store;
  const at = admin.now();
  const done =
    decision === 'passed'
      ? await review.pass(projectId, logId, admin.actor, at + PASSED_MS)
      : await review.decide({
          projectId,
          logId,
          inbox: row.inboxHash,
          seenAt: row.at,
          decision,
          by: admin.actor,
          at,
          reason: reason === '' ? null : reason,
          eventData: {
            decision,
            decidedBy: admin.actor,
            decidedAt: new Date(at).toISOString(),
            message: `A member marked a sign-up in the review queue as ${decision}.`,
          },
        });
  if (!done) {
    const earlier = await review.decisionOn(projectId, logId);
    return earlier?.by === admin.actor ? 'already-decided-by-you' : 'already-decided';
  }
  await audit(admin, 'review.decide', projectId, { validationId: logId, decision });
  return decision === 'passed' ? 'passed' : 'decided';
}

async function findRow(admin: Administration, projectId: string, logId: string): Promise<LogRow> {
  const project = await findProject(admin, projectId);
  const row = await admin.store.log.find(project.id, logId);
  if (row === undefined) throw new NotFound(`There is no validation ${quoted(logId)}.`);
  return row;
}
