import type { PersonJudgement } from '@postern/contract/dashboard';
import { integer, text } from '../columns.ts';
import type { Statement } from '../database.ts';
import type { Dialect } from '../migrations/dialect.ts';
import { tableOf } from '../table-of.ts';
import type { TimedId } from '../timed-id.ts';
import { addEvent } from './event-table.ts';
import { VALIDATION_LOG } from './settle-tables.ts';
import { countWords } from './statistics-table.ts';
import { OUTCOME, type RecordedOutcome, writeOutcomes } from './write-outcomes.ts';

export interface ReviewNote {
  readonly decision: 'good' | 'bad';
  readonly by: string;
  readonly at: number;
}

/** Tells webhooks what a member said about a person after all. */
interface JudgementEvent {
  /** The person’s validations that the member saw, the newest first. The event is about that one. */
  readonly logIds: readonly string[];
  readonly eventAt: number;
  readonly eventData: Readonly<Record<string, unknown>>;
}

export interface JudgedPerson extends RecordedOutcome, JudgementEvent {
  /** What a decided row of the queue says from now on. */
  readonly note: ReviewNote;
}

export interface JudgementTakenBack extends JudgementEvent {
  readonly inbox: string;
  /** The judgement to take back, as it was recorded. */
  readonly judgement: Pick<PersonJudgement, 'outcome' | 'at'>;
  readonly previous: PersonJudgement | null;
}

export const REVIEW_PASS = tableOf('review_pass', {
  projectId: text,
  logId: text,
  memberId: text,
  until: integer,
});

export const UNDECIDED = "recommendation = 'flag' AND review IS NULL AND stepped_up IS NULL";
export const WAITING = `project_id = ? AND ${UNDECIDED}`;

/** What people are, wherever they were seen, each with an event. A row that was decided before shows the new decision. */
export function judgePeople(
  timedId: TimedId,
  dialect: Dialect,
  projectId: string,
  people: readonly JudgedPerson[],
): Statement[] {
  return [
    ...writeOutcomes(dialect, projectId, people),
    ...people.flatMap((person) => [
      ...person.logIds.map((logId) => reviewOf(projectId, person.inbox, logId, JSON.stringify(person.note))),
      ...judgementEvent(timedId, projectId, person),
    ]),
  ];
}

/** Takes rows out of the queue, each with the person’s outcome and an event, if all of them still wait. */
export function decideRows(
  timedId: TimedId,
  dialect: Dialect,
  projectId: string,
  decisions: readonly JudgedPerson[],
): Statement[] {
  return [
    ...writeOutcomes(dialect, projectId, decisions),
    ...decisions.flatMap((decision) => {
      const { at, logIds, note } = decision;
      const review = JSON.stringify({ ...note, id: timedId(at) });
      return [
        ...logIds.flatMap((logId) => [
          VALIDATION_LOG.update({ projectId, id: logId }, { review }, `AND ${UNDECIDED}`),
          VALIDATION_LOG.mustHave({ projectId, id: logId, review }),
          REVIEW_PASS.remove({ projectId, logId }),
        ]),
        ...judgementEvent(timedId, projectId, decision),
      ];
    }),
  ];
}

/** What a row says that was decided before. */
function reviewOf(projectId: string, inbox: string, id: string, review: string | null): Statement {
  return VALIDATION_LOG.update({ projectId, inbox, id }, { review }, 'AND review IS NOT NULL');
}

/**
 * Gives people their earlier judgements back, each with an event, if nothing else was recorded about them since. Changes
 * the sums of outcomes too. People come in the order in which reports lock them.
 */
export function takeBackJudgements(
  timedId: TimedId,
  projectId: string,
  judgements: readonly JudgementTakenBack[],
): Statement[] {
  const inOrder = [...judgements].sort((one, other) => (one.inbox < other.inbox ? -1 : 1));
  return inOrder.flatMap((each) => {
    const { inbox, judgement, previous, logIds } = each;
    const { outcome = null, reason = null, at = null } = previous ?? {};
    return [
      // Locks the person, so that no report comes in between.
      OUTCOME.update({ projectId, inbox }, { also: 'seen_at = seen_at' }),
      OUTCOME.mustHave({ projectId, inbox, judgement: judgement.outcome, decidedAt: judgement.at }),
      countWords(projectId, judgement.at, `-1 outcome:${judgement.outcome}`),
      ...(previous === null ? [] : [countWords(projectId, previous.at, `1 outcome:${previous.outcome}`)]),
      // A row that was decided waits in the queue again.
      ...logIds.map((logId) => reviewOf(projectId, inbox, logId, null)),
      ...judgementEvent(timedId, projectId, each),
      OUTCOME.update({ projectId, inbox }, { judgement: outcome, reason, decidedAt: at }),
    ];
  });
}

/** With the time: a decision that was taken back can be made again. */
function judgementEvent(
  timedId: TimedId,
  projectId: string,
  { logIds: [logId], eventAt, eventData }: JudgementEvent,
): Statement[] {
  if (logId === undefined) return [];
  const event = {
    id: `review.decided-${logId}-${eventAt}`,
    type: 'review.decided',
    data: eventData,
  } as const;
  return addEvent(timedId, { ...event, projectId, at: eventAt, logId });
}
