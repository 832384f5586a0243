import { chunksOf } from '../../model/chunks.ts';
import { type Statement, statement } from '../database.ts';

/** SQLite joins at most 500 selections. */
const PEOPLE_AT_ONCE = 200;
/** A person can be validated any number of times, so only the newest live rows of each are read. */
const ROWS_OF_PERSON = 20;

/** The newest live log rows of these people, in the order of time, a few people at a time. */
export function* rowsOfPeople(
  projectId: string,
  columns: string,
  inboxes: readonly string[],
): Generator<Statement> {
  for (const some of chunksOf(inboxes, PEOPLE_AT_ONCE)) {
    const newest = some.map(
      (_, index) =>
        `SELECT * FROM (SELECT ${columns} FROM validation_log WHERE project_id = ? AND inbox = ? AND mode = 'live'
         ORDER BY inbox DESC, id DESC LIMIT ${ROWS_OF_PERSON}) AS person_${index}`,
    );
    yield statement(
      `SELECT * FROM (${newest.join(' UNION ALL ')}) AS people ORDER BY id`,
      ...some.flatMap((inbox) => [projectId, inbox]),
    );
  }
}
