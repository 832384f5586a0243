import { type Database, type Statement, statement } from '../database.ts';
import type { Dialect } from '../migrations/dialect.ts';
import type { TimedId } from '../timed-id.ts';
import { ALWAYS, type Condition } from './condition.ts';
import { addEvent } from './event-table.ts';
import type { ReviewNote } from './review-decisions.ts';
import { type RecordedOutcome, writeOutcomes } from './write-outcomes.ts';

/** Tells webhooks what a member said about a person after all. */
export interface JudgementEvent {
  /** The person’s validations that the member saw, the newest first. The event is about that one. */
  readonly logIds: readonly string[];
  readonly eventAt: number;
  readonly eventData: Readonly<Record<string, unknown>>;
}

export interface JudgedPerson extends RecordedOutcome, JudgementEvent {
  /** What a decided row of the queue says from now on. */
  readonly note: ReviewNote;
}

/** A row that was decided before shows the new decision. */
export async function judgePeople(
  database: Database,
  timedId: TimedId,
  dialect: Dialect,
  projectId: string,
  people: readonly JudgedPerson[],
): Promise<void> {
  if (people.length === 0) return;
  await database.write([
    ...writeOutcomes(dialect, projectId, people),
    ...people.flatMap((person) => [
      ...person.logIds.map((logId) =>
        statement(
          `UPDATE validation_log SET review = ?
           WHERE project_id = ? AND inbox = ? AND id = ? AND review IS NOT NULL`,
          ...[JSON.stringify(person.note), projectId, person.inbox, logId],
        ),
      ),
      ...judgementEvent(timedId, projectId, person),
    ]),
  ]);
}

export function judgementEvent(
  timedId: TimedId,
  projectId: string,
  { logIds: [logId], eventAt, eventData }: JudgementEvent,
  condition: Condition = ALWAYS,
): Statement[] {
  if (logId === undefined) return [];
  const id = `review.decided-${logId}-${eventAt}`;
  return addEvent(
    timedId,
    { projectId, id, type: 'review.decided', at: eventAt, logId, data: eventData },
    condition,
  );
}
