import type { Recommendation } from '@postern/contract';
import { chunksOf } from '../../model/chunks.ts';
import { getOrMake } from '../../model/get-or-make.ts';
import { integer, text, textOrNull } from '../columns.ts';
import { type Database, lockProject, type Row, type Statement, statement } from '../database.ts';
import { NEWEST_FIRST } from '../log-row.ts';
import { wordsReader } from '../log-words.ts';
import type { Dialect } from '../migrations/dialect.ts';
import { confirmed } from '../settle/device.ts';
import { type RowOf, rowOf } from '../table-of.ts';
import { timePrefix } from '../timed-id.ts';
import { markPeople } from './mark-people.ts';
import { readPastPeople } from './past-people.ts';
import { rowsOfPeople } from './rows-of-people.ts';
import { INBOX } from './settle-tables.ts';
import { rewriteDevices } from './sighting-table.ts';
import { OUTCOME, type RecordedOutcome, writeOutcomes } from './write-outcomes.ts';

export type PersonOutcome = Omit<RowOf<typeof OUTCOME>, 'projectId' | 'inbox' | 'seenAt'>;

/** A person whom a backend accepted. */
export interface ConfirmedPerson {
  readonly inbox: string;
  /** Without one: the last spelling, if it was not seen again since `seenBy`. */
  readonly spelling: string | undefined;
  readonly seenBy: number;
  /** The device of the accepted request. An address alone does not say which one it was. */
  readonly device: string | undefined;
}

/** Who was validated with a request ID: when last, and with which device, if it was a single one. */
export interface RequestedPerson {
  readonly at: number;
  readonly device: string | undefined;
}

/** One validation as the report sees it. */
export interface ValidationMarks {
  readonly at: number;
  readonly inbox: string;
  readonly recommendation: Recommendation;
  readonly checks: readonly string[];
  readonly signals: readonly string[];
  /** IDs of the rules that matched, live or shadow. */
  readonly rules: readonly string[];
}

/** What became of one person, and the domain of the person’s address. */
export interface DomainOutcome {
  readonly domain: string;
  /** `null` if the person signed up and nothing more is known. */
  readonly judgement: 'good' | 'bad' | null;
  /** When that was known. */
  readonly at: number;
}

const ROWS_AT_ONCE = 2_000;
const INBOXES_AT_ONCE = 500;
/**
 * A caller can send the same request ID again and again. At most this many of its rows are read. An ID that has as many
 * names no person, or a stranger could push the right person out of them by sending another’s address often enough.
 */
const SAME_REQUEST = 20;

/** The outcomes of the people that a project validated. */
export function outcomeStore(database: Database, dialect: Dialect) {
  const latest = (projectId: string, which: 'judged' | 'all', limit: number) => {
    const judged = which === 'judged' ? 'AND judgement IS NOT NULL' : '';
    return OUTCOME.findAll(database.browse, { projectId }, `${judged} ORDER BY seen_at DESC LIMIT ?`, limit);
  };
  return {
    /** The inboxes among these that the project knows, with the time each was last seen. */
    async knownInboxes(projectId: string, inboxes: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (inboxes.length === 0) return new Map();
      const these = `project_id = ? AND inbox IN (${inboxes.map(() => '?').join(', ')})`;
      const rows = await SEEN.findAll(
        database.read,
        `SELECT inbox, last_seen FROM inbox WHERE ${these} UNION ALL SELECT inbox, seen_at FROM person WHERE ${these}`,
        ...[projectId, ...inboxes, projectId, ...inboxes],
      );
      const latest = new Map<string, number>();
      for (const { inbox, lastSeen } of rows)
        latest.set(inbox, Math.max(lastSeen, latest.get(inbox) ?? lastSeen));
      return latest;
    },
    /** Who was validated with each of these request IDs, and when last. A caller can use an ID for several people. */
    async inboxesOfRequests(
      projectId: string,
      requestIds: readonly string[],
    ): Promise<ReadonlyMap<string, ReadonlyMap<string, RequestedPerson>>> {
      const ids = [...new Set(requestIds)];
      if (ids.length === 0) return new Map();
      let rows = await requestRows(database, projectId, ids);
      // With this many rows of some request, others may have been cut off.
      if (rows.length >= ids.length * SAME_REQUEST && ids.length > 1) {
        rows = [];
        for (const id of ids) rows.push(...(await requestRows(database, projectId, [id])));
      }
      const found = new Map<string, Map<string, RequestedPerson>>();
      const uses = new Map<string, number>();
      for (const { requestId, inbox, ...row } of rows) {
        uses.set(requestId, (uses.get(requestId) ?? 0) + 1);
        const people = getOrMake(found, requestId, () => new Map<string, RequestedPerson>());
        const device = row.device ?? undefined;
        const known = people.get(inbox) ?? { at: 0, device };
        const at = Math.max(known.at, row.at);
        people.set(inbox, { at, device: known.device === device ? device : undefined });
      }
      for (const [id, count] of uses) if (count >= SAME_REQUEST) found.delete(id);
      return found;
    },
    /** The people among these whose log rows are gone. */
    pastPeople: (projectId: string, inboxes: readonly string[]) =>
      readPastPeople(database, projectId, inboxes),
    /**
     * Records all of them or none. The latest of `good` and `bad` counts. Reporting the same outcome twice changes
     * nothing. `commit` stores something else in the same transaction.
     */
    async record(
      projectId: string,
      outcomes: readonly RecordedOutcome[],
      commit: (changes: readonly Statement[]) => Promise<unknown> = database.write,
    ): Promise<void> {
      await commit(outcomes.length === 0 ? [] : writeOutcomes(dialect, projectId, outcomes));
      const inboxes = outcomes.map(({ inbox }) => inbox);
      await markPeople(database, projectId, inboxes);
    },
    /**
     * A backend knows these people under the spelling, and on the device, that they signed up with: that is no longer
     * only claimed. Locks the project as settling does, because both change the rows of inboxes and devices.
     */
    async confirm(projectId: string, people: readonly ConfirmedPerson[]): Promise<void> {
      if (people.length === 0) return;
      const spellings = people.flatMap((person) => confirmSpelling(projectId, person));
      await database.write([lockProject(projectId), ...spellings]);
      const devices = people.flatMap(({ device }) => device ?? []);
      await rewriteDevices(database, projectId, devices, (row) =>
        people.reduce(
          (left, { inbox, device }) => (device === row.device ? confirmed(left, inbox) : left),
          row,
        ),
      );
    },
    async find(projectId: string, inbox: string): Promise<PersonOutcome | undefined> {
      const found = await OUTCOME.find(database.browse, { projectId, inbox });
      return found && toPersonOutcome(found);
    },
    /** The outcomes of these people, by inbox. */
    async findMany(
      projectId: string,
      inboxes: readonly string[],
    ): Promise<ReadonlyMap<string, PersonOutcome>> {
      const found = new Map<string, PersonOutcome>();
      for (const chunk of chunksOf(inboxes, INBOXES_AT_ONCE)) {
        const outcomes = await OUTCOME.findAll(database.browse, { projectId, inbox: chunk });
        for (const outcome of outcomes) found.set(outcome.inbox, toPersonOutcome(outcome));
      }
      return found;
    },
    /** The people with a judgement who were seen last, at most `limit`, by inbox. */
    async latestJudged(projectId: string, limit: number): Promise<ReadonlyMap<string, PersonOutcome>> {
      const outcomes = await latest(projectId, 'judged', limit);
      return new Map(outcomes.map((outcome) => [outcome.inbox, toPersonOutcome(outcome)]));
    },
    /**
     * The people with an outcome who were seen last, at most `limit`, with the domain of their newest validation, as far as
     * the log still has it. `judged`: only people who are known to be good or bad.
     */
    async domainOutcomes(
      projectId: string,
      which: 'judged' | 'all',
      limit: number,
    ): Promise<readonly DomainOutcome[]> {
      const people = await latest(projectId, which, limit);
      const domains = new Map<string, string>();
      const inboxes = people.map(({ inbox }) => inbox);
      for (const query of rowsOfPeople(projectId, 'id, inbox, domain', inboxes))
        for (const row of await database.browse(query)) domains.set(text(row, 'inbox'), text(row, 'domain'));
      return people.flatMap(({ inbox, judgement, decidedAt, acceptedAt, seenAt }) => {
        const domain = domains.get(inbox);
        return domain === undefined
          ? []
          : [{ domain, judgement, at: (judgement === null ? acceptedAt : decidedAt) ?? seenAt }];
      });
    },
    /** The live validations of these people, the oldest first. */
    async validationsOf(projectId: string, inboxes: readonly string[]): Promise<ValidationMarks[]> {
      const found: ValidationMarks[] = [];
      const read = validationReader();
      for (const query of rowsOfPeople(projectId, READ_COLUMNS, inboxes))
        found.push(...(await database.browse(query)).map(read));
      return found;
    },
    /** The live validations of a time span, newest first, in portions. */
    validations: (projectId: string, from: number, to: number) => validations(database, projectId, from, to),
  };
}

function confirmSpelling(projectId: string, { inbox, spelling, seenBy }: ConfirmedPerson): Statement[] {
  if (spelling === undefined)
    return [INBOX.update({ projectId, inbox }, { claimedFrom: null }, 'AND last_seen <= ?', seenBy)];
  return [
    INBOX.update({ projectId, inbox, spelling }, { claimedFrom: null }),
    INBOX.update({ projectId, inbox, otherSpelling: spelling }, { otherClaimedFrom: null }),
  ];
}

const SEEN = rowOf({ inbox: text, lastSeen: integer });
const REQUESTED = rowOf({ requestId: text, inbox: text, at: integer, device: textOrNull });

function requestRows(database: Database, projectId: string, ids: readonly string[]) {
  const limit = ids.length * SAME_REQUEST;
  const places = (place: string) => ids.map(() => place).join(', ');
  return REQUESTED.findAll(
    database.read,
    // In this form SQLite uses the index of requests, for one ID too. Otherwise it would read all past requests of the project
    // by an index that has the other columns as well.
    `SELECT * FROM (SELECT request_id, inbox, at, device FROM validation_log
       WHERE project_id = ? AND request_id IN (${places('?')}) ${NEWEST_FIRST} LIMIT ${limit}) AS logged
     UNION ALL SELECT * FROM (SELECT request_id, inbox, at, NULL AS device FROM person_request
       WHERE project_id = ? AND request_id IN (VALUES ${places('(?)')}) ORDER BY request_id LIMIT ${limit}) AS past`,
    ...[projectId, ...ids, projectId, ...ids],
  );
}

function toPersonOutcome({ projectId, inbox, seenAt, ...outcome }: RowOf<typeof OUTCOME>): PersonOutcome {
  return outcome;
}

async function* validations(
  database: Database,
  projectId: string,
  from: number,
  to: number,
): AsyncGenerator<readonly ValidationMarks[]> {
  const read = validationReader();
  const portion = `SELECT ${READ_COLUMNS} FROM validation_log WHERE project_id = ? AND id >= ? AND id < ? AND mode = 'live'
    ORDER BY id DESC LIMIT ${ROWS_AT_ONCE}`;
  for (let before = timePrefix(to); ; ) {
    const rows = await database.browse(statement(portion, projectId, timePrefix(from), before));
    yield rows.map(read);
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    before = text(last, 'id');
  }
}

/** Test keys’ validations are not about real people, so they are left out. */
const READ_COLUMNS = 'id, at, mode, inbox, recommendation, words, rules';

function validationReader(): (row: Row) => ValidationMarks {
  const read = wordsReader();
  return (row) => {
    const { failed, signals } = read(text(row, 'words'));
    const { rules, shadowRules } = read(text(row, 'rules'));
    return {
      at: integer(row, 'at'),
      inbox: text(row, 'inbox'),
      recommendation: text(row, 'recommendation') as Recommendation,
      checks: failed,
      signals,
      rules: [...rules, ...shadowRules],
    };
  };
}
