import { DAY_MS, signalFamily } from '@postern/contract';
import { type JudgementUndo, REVIEW_MAX_COUNTED } from '@postern/contract/dashboard';
import { pageOf } from '../model/page.ts';
import type { LogRow } from '../store/store.ts';
import type { LogFilter } from '../store/tables/log-filter.ts';
import { type Administration, audit, InvalidInput, NotFound, quoted } from './administration.ts';
import { decisionData, judgementsOf, notBefore, readOutcomeReason } from './judgements.ts';
import { badShares } from './outcomes.ts';
import { findProject } from './projects.ts';
import { noteJudgements } from './timeline-entries.ts';

type ReviewOrder = 'oldest' | 'riskiest';

interface QueuedValidation {
  readonly row: LogRow;
  readonly risk: number | null;
}

export interface ReviewQueue {
  readonly open: number;
  /** Sorted by risk are only so many of the oldest rows; `null` if that is all of them. */
  readonly sorted: number | null;
  readonly queue: readonly QueuedValidation[];
  readonly next: string | null;
}

/** How many of the oldest rows are considered when sorting by risk. */
const RISK_ROWS = 1_000;
/** A row that was passed on comes back after this time, in case nobody else decides it. */
const PASSED_MS = 7 * DAY_MS;
/** The most rows that are decided at once, and how many of them in one transaction. */
const MAX_SELECTED = 1_000;
const AT_ONCE = 50;
/** The most rows of one person that can be taken back together. */
const MAX_OF_PERSON = 100;
const SHARES_KEPT_MS = 60_000;

type Shares = ReadonlyMap<string, number>;
interface KeptShares {
  readonly until: number;
  readonly shares: Promise<Shares>;
}
const NO_SHARES: Shares = new Map();
const sharesKept = new WeakMap<Administration['store'], Map<string, KeptShares>>();

export interface QueueAsked {
  readonly order: ReviewOrder;
  /** 0: the rows are only counted. */
  readonly limit: number;
  readonly after: string | null;
  readonly filter: LogFilter;
}

export async function reviewQueue(
  admin: Administration,
  projectId: string,
  { order, limit, after, filter }: QueueAsked,
): Promise<ReviewQueue> {
  const project = await findProject(admin, projectId);
  const { review } = admin.store;
  const byRisk = order === 'riskiest';
  const reader = { projectId: project.id, memberId: admin.actor, now: admin.now(), filter };
  const [open, rows, shares] = await Promise.all([
    review.count(reader, REVIEW_MAX_COUNTED),
    review.open(reader, byRisk ? null : after, byRisk ? RISK_ROWS + 1 : limit + 1),
    limit === 0 ? NO_SHARES : sharesOf(admin, project.id),
  ]);
  const queue = rows
    .slice(0, byRisk ? RISK_ROWS : undefined)
    .map((row) => ({ row, risk: riskOf(row, shares) }));
  if (byRisk) queue.sort((one, other) => (other.risk ?? -1) - (one.risk ?? -1));
  const page = pageOf(queue, limit, ({ row }) => row.id);
  const sorted = byRisk && rows.length > RISK_ROWS ? RISK_ROWS : null;
  return { open, sorted, queue: page.rows, next: byRisk ? null : page.next };
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

type ReviewResult = 'decided' | 'passed' | 'already-decided' | 'already-decided-by-you';

interface DecisionFields {
  readonly decision?: unknown;
  readonly reason?: unknown;
}

/** One member’s decision. If somebody decided before, nothing is changed. */
export async function decideReview(
  admin: Administration,
  projectId: string,
  logId: string,
  fields: DecisionFields,
): Promise<{ readonly result: ReviewResult; readonly undo: JudgementUndo[] }> {
  const decision = readDecision(fields);
  const rows = [await findRow(admin, projectId, logId)];
  const { decided, undo } = await decideRows(admin, projectId, rows, decision);
  if (decided === 0) {
    const earlier = await admin.store.review.decisionOn(projectId, logId);
    const result = earlier?.by === admin.actor ? 'already-decided-by-you' : 'already-decided';
    return { result, undo };
  }
  await audit(admin, 'review.decide', projectId, { validationId: logId, decision: decision.decision });
  return { result: decision.decision === 'passed' ? 'passed' : 'decided', undo };
}

/** The same decision about many rows. Those that somebody decided before, or that are gone, are left as they are. */
export async function decideManyReviews(
  admin: Administration,
  projectId: string,
  fields: DecisionFields & { readonly validations?: unknown },
): Promise<{ readonly decided: number; readonly skipped: number; readonly undo: JudgementUndo[] }> {
  const decision = readDecision(fields);
  const ids = readSelection(fields.validations);
  const project = await findProject(admin, projectId);
  const rows = await rowsOf(admin, project.id, ids);
  const { decided, undo } = await decideRows(admin, project.id, rows, decision);
  if (decided > 0)
    await audit(admin, 'review.decide', project.id, { signUps: decided, decision: decision.decision });
  return { decided, skipped: ids.length - decided, undo };
}

interface ReadDecision {
  readonly decision: 'good' | 'bad' | 'passed';
  readonly reason: string | null;
}

function readDecision({ decision, reason }: DecisionFields): ReadDecision {
  if (decision !== 'good' && decision !== 'bad' && decision !== 'passed')
    throw new InvalidInput('decision', `decision must be good, bad or passed, not ${quoted(decision)}.`);
  return { decision, reason: readOutcomeReason(reason) };
}

function readSelection(ids: unknown): string[] {
  const texts: unknown[] = Array.isArray(ids) ? [...new Set(ids)] : [];
  if (texts.length === 0 || texts.length > MAX_SELECTED || !texts.every((id) => typeof id === 'string'))
    throw new InvalidInput('validations', `validations must be a list of 1 to ${MAX_SELECTED} IDs.`);
  return texts;
}

async function decideRows(
  admin: Administration,
  projectId: string,
  rows: readonly LogRow[],
  { decision, reason }: ReadDecision,
): Promise<{ readonly decided: number; readonly undo: JudgementUndo[] }> {
  const { review } = admin.store;
  if (decision === 'passed') {
    const until = admin.now() + PASSED_MS;
    let passed = 0;
    for (const { id } of rows) if (await review.pass(projectId, id, admin.actor, until)) passed += 1;
    return { decided: passed, undo: [] };
  }
  const undo: JudgementUndo[] = [];
  let decided = 0;
  for (const some of portions(rows)) {
    const known = await judgementsOf(
      admin,
      projectId,
      some.map((newest) => ({ newest })),
    );
    const now = admin.now();
    const decisions = some.map((row) => {
      const previous = known.get(row.inboxHash) ?? null;
      const at = notBefore(previous, now);
      const { inboxHash: inbox, id: logId, at: seenAt } = row;
      const eventData = decisionData(admin.actor, at, decision, previous);
      return { projectId, logId, inbox, seenAt, decision, by: admin.actor, at, reason, eventData };
    });
    const done = await review.decide(decisions);
    decided += done.filter((yes) => yes).length;
    for (const [index, { inbox, logId, at }] of decisions.entries()) {
      if (done[index] !== true) continue;
      const previous = known.get(inbox) ?? null;
      noteUndo(undo, { inbox, judgement: { outcome: decision, reason, at }, previous, validations: [logId] });
    }
  }
  await noteJudgements(admin, projectId, undo);
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

function* portions(rows: readonly LogRow[]): Generator<readonly LogRow[]> {
  for (let at = 0; at < rows.length; at += AT_ONCE) yield rows.slice(at, at + AT_ONCE);
}

/** The rows that still exist. */
async function rowsOf(admin: Administration, projectId: string, ids: readonly string[]): Promise<LogRow[]> {
  const rows = await Promise.all(ids.map((id) => admin.store.log.find(projectId, id)));
  return rows.filter((row) => row !== undefined);
}

async function findRow(admin: Administration, projectId: string, logId: string): Promise<LogRow> {
  const project = await findProject(admin, projectId);
  const row = await admin.store.log.find(project.id, logId);
  if (row === undefined) throw new NotFound(`There is no validation ${quoted(logId)}.`);
  return row;
}
