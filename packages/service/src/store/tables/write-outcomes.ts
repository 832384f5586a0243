import type { Outcome } from '@postern/contract';
import { integer, integerOrNull, text, textOrNull } from '../columns.ts';
import { type Statement, statement, storableText } from '../database.ts';
import type { Dialect } from '../migrations/dialect.ts';
import { SLOT_MS } from '../statistics/statistics-words.ts';
import { tableOf } from '../table-of.ts';
import { changeId } from './statistics-table.ts';

export const OUTCOME = tableOf('outcome', {
  projectId: text,
  inbox: text,
  acceptedAt: integerOrNull,
  /** `null` if the person signed up and nothing more is known. */
  judgement: textOrNull<'good' | 'bad'>,
  reason: textOrNull,
  decidedAt: integerOrNull,
  seenAt: integer,
});

export interface RecordedOutcome {
  readonly inbox: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly at: number;
  /** When the person was last validated. */
  readonly seenAt: number;
}

/** What one request says about one person. */
interface ReportedPerson {
  readonly inbox: string;
  acceptedAt: number | null;
  judgement: 'good' | 'bad' | null;
  reason: string | null;
  decidedAt: number | null;
  seenAt: number;
}

/** The reported people as a table. The database reads it from one JSON value, so that each step is one statement. */
const REPORTED = {
  sqlite: `(SELECT json_extract(value, '$.inbox') AS inbox, json_extract(value, '$.acceptedAt') AS accepted_at,
    json_extract(value, '$.judgement') AS judgement, json_extract(value, '$.reason') AS reason,
    json_extract(value, '$.decidedAt') AS decided_at, json_extract(value, '$.seenAt') AS seen_at
    FROM json_each(?)) AS reported`,
  postgres: `(SELECT inbox COLLATE "C" AS inbox, "acceptedAt" AS accepted_at, judgement COLLATE "C" AS judgement, reason,
    "decidedAt" AS decided_at, "seenAt" AS seen_at FROM json_to_recordset(CAST(? AS JSON)) AS person
    (inbox TEXT, "acceptedAt" BIGINT, judgement TEXT, reason TEXT, "decidedAt" BIGINT, "seenAt" BIGINT)) AS reported`,
} as const;

const isNewer = (said: 'reported' | 'excluded') =>
  `${said}.judgement IS NOT NULL AND (outcome.decided_at IS NULL OR ${said}.decided_at >= outcome.decided_at)`;
const SAME_PERSON = 'outcome.project_id = ? AND outcome.inbox = reported.inbox';

/**
 * Records all outcomes of a request. The first statement locks every person, in the order of their inboxes: concurrent
 * requests about the same people then wait for each other and cannot deadlock. The sums are counted between locking and
 * changing, so that they see the outcomes that are replaced.
 */
export function writeOutcomes(
  dialect: Dialect,
  projectId: string,
  outcomes: readonly RecordedOutcome[],
): Statement[] {
  const reported = REPORTED[dialect];
  const people = JSON.stringify(foldByPerson(outcomes));
  const lock = statement(
    `INSERT INTO outcome (project_id, inbox, seen_at)
     SELECT CAST(? AS TEXT), inbox, seen_at FROM ${reported} WHERE true ORDER BY inbox
     ON CONFLICT (project_id, inbox) DO UPDATE SET
       seen_at = CASE WHEN excluded.seen_at > outcome.seen_at THEN excluded.seen_at ELSE outcome.seen_at END`,
    projectId,
    people,
  );
  const newer = isNewer('excluded');
  // SQLite finds each person by the key here. For an UPDATE with a FROM it reads all outcomes.
  const change = statement(
    `INSERT INTO outcome (project_id, inbox, accepted_at, judgement, reason, decided_at, seen_at)
     SELECT CAST(? AS TEXT), inbox, accepted_at, judgement, reason, decided_at, seen_at
     FROM ${reported} WHERE true ORDER BY inbox
     ON CONFLICT (project_id, inbox) DO UPDATE SET
       accepted_at = CASE WHEN outcome.accepted_at IS NULL OR excluded.accepted_at < outcome.accepted_at
         THEN excluded.accepted_at ELSE outcome.accepted_at END,
       judgement = CASE WHEN ${newer} THEN excluded.judgement ELSE outcome.judgement END,
       reason = CASE WHEN ${newer} THEN excluded.reason ELSE outcome.reason END,
       decided_at = CASE WHEN ${newer} THEN excluded.decided_at ELSE outcome.decided_at END`,
    projectId,
    people,
  );
  return [lock, ...countOutcomes(reported, people, projectId), change];
}

/**
 * The sums of outcomes, which are kept longer than the outcomes. A judgement takes the place of an earlier one, and a
 * sign-up counts once.
 */
function countOutcomes(reported: string, people: string, projectId: string): Statement[] {
  const count = (sign: '' | '-', word: string, at: string, when: string): Statement => {
    // SQLite reads the left side of a CROSS JOIN first: the few people of the request, not all outcomes.
    const slot = `(${at} / ${SLOT_MS} * ${SLOT_MS})`;
    return statement(
      `INSERT INTO statistics_change (project_id, id, at, lines)
       SELECT CAST(? AS TEXT), CAST(? AS TEXT) || '-' || ${slot} || ${word}, ${slot},
         '${sign}' || count(*) || ' outcome:' || ${word}
       FROM ${reported} CROSS JOIN outcome WHERE ${SAME_PERSON} AND ${when}
       GROUP BY ${slot}, ${word}`,
      projectId,
      changeId(),
      people,
      projectId,
    );
  };
  return [
    count(
      '',
      // PostgreSQL does not group by a plain constant.
      "CAST('accepted' AS TEXT)",
      'reported.accepted_at',
      'reported.accepted_at IS NOT NULL AND outcome.accepted_at IS NULL',
    ),
    count(
      '-',
      'outcome.judgement',
      'outcome.decided_at',
      `outcome.judgement IS NOT NULL AND ${isNewer('reported')}`,
    ),
    count('', 'reported.judgement', 'reported.decided_at', isNewer('reported')),
  ];
}

/** Of several outcomes of one person the latest judgement counts, the last of two with the same time, and the first sign-up. */
function foldByPerson(outcomes: readonly RecordedOutcome[]): ReportedPerson[] {
  const people = new Map<string, ReportedPerson>();
  for (const { inbox, outcome, reason, at, seenAt } of outcomes) {
    const person = people.get(inbox) ?? {
      inbox,
      acceptedAt: null,
      judgement: null,
      reason: null,
      decidedAt: null,
      seenAt,
    };
    people.set(inbox, person);
    person.seenAt = Math.max(person.seenAt, seenAt);
    if (outcome === 'accepted') person.acceptedAt = Math.min(person.acceptedAt ?? at, at);
    else if (person.decidedAt === null || at >= person.decidedAt) {
      person.judgement = outcome;
      person.reason = reason === null ? null : storableText(reason);
      person.decidedAt = at;
    }
  }
  return [...people.values()];
}
