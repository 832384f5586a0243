import type { JudgementUndo, PersonJudgement, WrongAnswersMarked } from '@postern/contract/dashboard';
import type { LogRow } from '../store/store.ts';
import type { PersonOutcome } from '../store/tables/outcome-table.ts';
import type { Judgement } from '../store/tables/take-back-judgements.ts';
import { type Administration, audit, InvalidInput, NotFound } from './administration.ts';
import { findProject } from './projects.ts';

const MAX_ANSWERS = 100;
const REASON = 'marked as wrong';

/** What the person turned out to be if the answer was wrong. */
const OUTCOME_IF_WRONG = { allow: 'bad', flag: 'good', block: 'good' } as const;

/** Records that answers were wrong, as outcomes of the people. Returns what takes it back. */
export async function markWrong(
  admin: Administration,
  projectId: string,
  ids: unknown,
): Promise<WrongAnswersMarked> {
  const project = await findProject(admin, projectId);
  const people = newestOfEach(await findRows(admin, project.id, readIds(ids)));
  const { outcomes } = admin.store;
  const undo = await Promise.all(
    people.map(async ({ inboxHash, recommendation }): Promise<JudgementUndo> => {
      const previous = judgementOf(await outcomes.find(project.id, inboxHash));
      // Never older than what is known already, or it would not count.
      const at = Math.max(admin.now(), previous?.at ?? 0);
      return {
        inbox: inboxHash,
        judgement: { outcome: OUTCOME_IF_WRONG[recommendation], reason: REASON, at },
        previous,
      };
    }),
  );
  const seenAt = new Map(people.map(({ inboxHash, at }) => [inboxHash, at]));
  await outcomes.record(
    project.id,
    undo.map(({ inbox, judgement }) => ({ inbox, ...judgement, seenAt: seenAt.get(inbox) ?? judgement.at })),
  );
  const good = undo.filter(({ judgement }) => judgement.outcome === 'good').length;
  const bad = undo.length - good;
  await audit(admin, 'answer.wrong', project.id, {
    ...(people.length === 1 && { validationId: people[0]?.id }),
    ...(good > 0 && { peopleNowGood: good }),
    ...(bad > 0 && { peopleNowBad: bad }),
  });
  return { good, bad, undo };
}

/** Gives the people their earlier judgements back, unless something newer was reported. Returns for how many. */
export async function undoWrong(admin: Administration, projectId: string, undo: unknown): Promise<number> {
  const project = await findProject(admin, projectId);
  if (!Array.isArray(undo) || undo.length === 0 || undo.length > MAX_ANSWERS || !undo.every(isUndo))
    throw new InvalidInput('undo', 'undo must be the list that the answer to wrong had.');
  const undone = await admin.store.outcomes.takeBack(
    project.id,
    undo.map(({ inbox, judgement, previous }) => ({
      inbox,
      recorded: toJudgement(judgement),
      previous: previous && toJudgement(previous),
    })),
  );
  await audit(admin, 'answer.wrong-undo', project.id, { people: undone });
  return undone;
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

function newestOfEach(rows: readonly LogRow[]): LogRow[] {
  const newest = new Map<string, LogRow>();
  for (const row of [...rows].sort((one, other) => (one.id < other.id ? -1 : 1)))
    newest.set(row.inboxHash, row);
  return [...newest.values()];
}

function isUndo(value: unknown): value is JudgementUndo {
  const { inbox, judgement, previous } = (value ?? {}) as Partial<JudgementUndo>;
  if (typeof inbox !== 'string' || !isJudgement(judgement)) return false;
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
