import { characters, MAX_OUTCOME_REASON } from '@postern/contract';
import type { JudgementsRecorded, JudgementUndo, PersonJudgement } from '@postern/contract/dashboard';
import type { LogRow } from '../store/store.ts';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';
import type { Judgement } from '../store/tables/take-back-judgements.ts';
import { type Administration, audit, InvalidInput, NotFound, quoted } from './administration.ts';
import { findProject } from './projects.ts';
import { noteJudgements, noteTakenBack } from './timeline-entries.ts';

/** A selection of the review queue can be as long. */
const MAX_UNDONE = 1_000;
const MAX_ANSWERS = 1_000;
/** The most rows of one person that can be taken back together. */
const MAX_OF_PERSON = 100;
/** So many people are written in one transaction. */
const AT_ONCE = 50;
const WRONG = 'marked as wrong';

/** What the person turned out to be if the answer was wrong. */
const OUTCOME_IF_WRONG = { allow: 'bad', flag: 'good', block: 'good' } as const;

/** The newest of a person’s validations, and the IDs of all that were named. */
interface NamedPerson {
  readonly newest: LogRow;
  readonly logIds: readonly string[];
}

/**
 * Records what people are, as a member says: `good`, `bad`, the opposite of what they were answered (`wrong`), or that it
 * is not known after all (`unknown`). Returns what takes it back.
 */
export async function judge(
  admin: Administration,
  projectId: string,
  fields: { readonly validations?: unknown; readonly outcome?: unknown; readonly reason?: unknown },
): Promise<JudgementsRecorded> {
  const project = await findProject(admin, projectId);
  const { outcome } = fields;
  if (outcome !== 'good' && outcome !== 'bad' && outcome !== 'wrong' && outcome !== 'unknown')
    throw new InvalidInput('outcome', `outcome must be good, bad, wrong or unknown, not ${quoted(outcome)}.`);
  const reason = readOutcomeReason(fields.reason);
  const people = byPerson(await findRows(admin, project.id, readIds(fields.validations)));
  const known = await judgementsOf(admin, project.id, people);
  if (outcome === 'unknown') return forgetJudgements(admin, project.id, people, known);
  const undo = people.map(({ newest, logIds }): JudgementUndo => {
    const previous = known.get(newest.inboxHash) ?? null;
    return {
      inbox: newest.inboxHash,
      judgement: {
        outcome: outcome === 'wrong' ? OUTCOME_IF_WRONG[newest.recommendation] : outcome,
        reason: reason ?? (outcome === 'wrong' ? WRONG : null),
        at: notBefore(previous, admin.now()),
      },
      previous,
      validations: logIds.slice(0, MAX_OF_PERSON),
    };
  });
  const seenAt = new Map(people.map(({ newest }) => [newest.inboxHash, newest.at]));
  for (let at = 0; at < undo.length; at += AT_ONCE) {
    await admin.store.review.judge(
      project.id,
      undo.slice(at, at + AT_ONCE).map(({ inbox, judgement, previous, validations }) => ({
        inbox,
        ...judgement,
        seenAt: seenAt.get(inbox) ?? judgement.at,
        logIds: validations,
        eventAt: judgement.at,
        eventData: decisionData(admin.actor, judgement.at, judgement.outcome, previous),
        note: { decision: judgement.outcome, by: admin.actor, at: judgement.at },
      })),
    );
  }
  await noteJudgements(admin, project.id, undo);
  const good = undo.filter(({ judgement }) => judgement.outcome === 'good').length;
  const bad = undo.length - good;
  await audit(admin, 'person.judge', project.id, {
    ...(people.length === 1 && { validationId: people[0]?.newest.id }),
    ...(good > 0 && { peopleNowGood: good }),
    ...(bad > 0 && { peopleNowBad: bad }),
  });
  return { good, bad, undo };
}

/** Nothing is known about these people any more. Their decided rows wait in the queue again. */
async function forgetJudgements(
  admin: Administration,
  projectId: string,
  people: readonly NamedPerson[],
  known: ReadonlyMap<string, PersonJudgement>,
): Promise<JudgementsRecorded> {
  const taken = people.flatMap(({ newest: { inboxHash: inbox }, logIds }) => {
    const judgement = known.get(inbox);
    return judgement === undefined ? [] : [{ inbox, judgement, previous: null, validations: logIds }];
  });
  const undone = await takeBack(admin, projectId, taken);
  await audit(admin, 'person.judge-undo', projectId, { people: undone });
  return { good: 0, bad: 0, undo: [] };
}

/** Gives the people their earlier judgements back, unless something newer was reported. Returns for how many. */
export async function undoJudgements(
  admin: Administration,
  projectId: string,
  undo: unknown,
): Promise<number> {
  const project = await findProject(admin, projectId);
  if (!Array.isArray(undo) || undo.length === 0 || undo.length > MAX_UNDONE || !undo.every(isUndo))
    throw new InvalidInput('undo', 'undo must be the list that the answer to the decision had.');
  const undone = await takeBack(admin, project.id, undo);
  await audit(admin, 'person.judge-undo', project.id, { people: undone });
  return undone;
}

async function takeBack(
  admin: Administration,
  projectId: string,
  undo: readonly (Omit<JudgementUndo, 'validations'> & { readonly validations: readonly string[] })[],
): Promise<number> {
  const { store, now, actor } = admin;
  let undone = 0;
  for (let at = 0; at < undo.length; at += AT_ONCE) {
    undone += await store.review.takeBack(
      projectId,
      undo.slice(at, at + AT_ONCE).map(({ inbox, judgement, previous, validations }) => {
        const eventAt = Math.max(now(), judgement.at + 1);
        return {
          inbox,
          recorded: toJudgement(judgement),
          previous: previous && toJudgement(previous),
          logIds: validations,
          eventAt,
          eventData: decisionData(actor, eventAt, previous?.outcome ?? 'unknown', judgement),
        };
      }),
    );
  }
  // Where something newer was known, nothing was taken back. Which these are is not known here.
  if (undone === undo.length) await noteTakenBack(admin, projectId, undo);
  return undone;
}

/** The data of a `review.decided` event. `previous` says that it corrects an earlier decision or report. */
export function decisionData(
  actor: string,
  at: number,
  decision: 'good' | 'bad' | 'unknown',
  previous: PersonJudgement | null,
): Readonly<Record<string, unknown>> {
  const corrects = previous !== null && previous.outcome !== decision;
  return {
    decision,
    ...(corrects && { previous: previous.outcome }),
    decidedBy: actor,
    decidedAt: new Date(at).toISOString(),
    message: corrects
      ? `A member corrected a decision: ${decision} instead of ${previous.outcome}.`
      : `A member marked a sign-up as ${decision}.`,
  };
}

/** A judgement that is older than what is known already would not count. */
export const notBefore = (previous: PersonJudgement | null, now: number) => Math.max(now, previous?.at ?? 0);

export function readOutcomeReason(reason: unknown): string | null {
  if (reason === undefined || reason === null || reason === '') return null;
  if (typeof reason !== 'string' || characters(reason) > MAX_OUTCOME_REASON)
    throw new InvalidInput('reason', `reason must be a string of at most ${MAX_OUTCOME_REASON} characters.`);
  return reason;
}

/** The latest `good` or `bad` about each person about whom there is one. */
export async function judgementsOf(
  { store }: Administration,
  projectId: string,
  people: readonly Pick<NamedPerson, 'newest'>[],
): Promise<ReadonlyMap<string, PersonJudgement>> {
  const outcomes = await store.outcomes.findMany(
    projectId,
    people.map(({ newest }) => newest.inboxHash),
  );
  return new Map(
    [...outcomes].flatMap(([inbox, outcome]) => {
      const judgement = judgementOf(outcome);
      return judgement === null ? [] : [[inbox, judgement] as const];
    }),
  );
}

/** The latest `good` or `bad` about a person. */
export function judgementOf(outcome: PersonOutcome | undefined): PersonJudgement | null {
  if (outcome === undefined || outcome.judgement === null) return null;
  return { outcome: outcome.judgement, reason: outcome.reason, at: outcome.decidedAt ?? 0 };
}

const toJudgement = ({ outcome, reason, at }: PersonJudgement): Judgement => ({
  judgement: outcome,
  reason,
  decidedAt: at,
});

function readIds(ids: unknown): string[] {
  const texts: unknown[] = Array.isArray(ids) ? [...new Set(ids)] : [];
  if (texts.length === 0 || texts.length > MAX_ANSWERS || !texts.every((id) => typeof id === 'string'))
    throw new InvalidInput('validations', `validations must be a list of 1 to ${MAX_ANSWERS} IDs.`);
  return texts;
}

async function findRows(admin: Administration, projectId: string, ids: readonly string[]): Promise<LogRow[]> {
  const rows = await Promise.all(ids.map((id) => admin.store.log.find(projectId, id)));
  return rows.map((row) => {
    if (row === undefined)
      throw new NotFound('One of the validations does not exist. Old ones are deleted from the log.');
    if (row.mode === 'test')
      throw new InvalidInput('validations', 'Validations of test keys are not about real people.');
    return row;
  });
}

function byPerson(rows: readonly LogRow[]): NamedPerson[] {
  const people = new Map<string, { newest: LogRow; logIds: string[] }>();
  for (const row of [...rows].sort((one, other) => (one.id < other.id ? 1 : -1))) {
    const person = people.get(row.inboxHash) ?? { newest: row, logIds: [] };
    person.logIds.push(row.id);
    people.set(row.inboxHash, person);
  }
  return [...people.values()];
}

function isUndo(value: unknown): value is JudgementUndo {
  const { inbox, judgement, previous, validations } = (value ?? {}) as Partial<JudgementUndo>;
  if (typeof inbox !== 'string' || !isJudgement(judgement)) return false;
  if (!Array.isArray(validations) || validations.length > MAX_OF_PERSON) return false;
  if (!validations.every((id) => typeof id === 'string' && !id.includes('\0'))) return false;
  return previous === null || (isJudgement(previous) && previous.at <= judgement.at);
}

function isJudgement(value: unknown): value is PersonJudgement {
  const { outcome, reason, at } = (value ?? {}) as Partial<PersonJudgement>;
  return (
    (outcome === 'good' || outcome === 'bad') &&
    (reason === null || (typeof reason === 'string' && reason.length <= 256 && !reason.includes('\0'))) &&
    Number.isSafeInteger(at) &&
    Number(at) >= 0
  );
}
