import { type CaptchaVendor, CHALLENGE_TRIES, type KeyType, type StepUpKind } from '@postern/contract';
import type { KeyMode } from '../../model/api-key.ts';
import { integer, integerOrNull, text, textOrNull } from '../columns.ts';
import { type Database, hasChanged, hasRows, type Statement } from '../database.ts';
import { type RowOf, rowOf, tableOf } from '../table-of.ts';
import { VALIDATION_LOG } from './settle-tables.ts';

/** What a flag asked of a person. */
export const CHALLENGE = tableOf('challenge', {
  projectId: text,
  /** A keyed hash of the ID that the caller has. */
  id: text,
  at: integer,
  expiresAt: integer,
  kind: text<StepUpKind>,
  mode: text<KeyMode>,
  keyType: text<KeyType>,
  inbox: text,
  logId: text,
  /** What the second verdict will say. Only the caller’s ID opens it. */
  sealed: textOrNull,
  tries: integer,
  passedAt: integerOrNull,
});

/** The account at a CAPTCHA vendor. */
export const STEP_UP_VENDOR = tableOf('step_up_vendor', {
  projectId: text,
  vendor: text<CaptchaVendor>,
  siteKey: text,
  /** The secret, encrypted. No dump has it. */
  sealed: text,
  away: text<'flag' | 'allow'>,
});

export type StepUpVendorRow = RowOf<typeof STEP_UP_VENDOR>;

export type ChallengeRow = RowOf<typeof CHALLENGE>;

/** A person who was asked, and what became of them. */
const ASKED_PERSON = rowOf({
  kind: text<StepUpKind>,
  logId: text,
  at: integer,
  passedAt: integerOrNull,
  expiresAt: integer,
  tries: integer,
  judgement: textOrNull<'good' | 'bad'>,
});
export type AskedPerson = RowOf<typeof ASKED_PERSON>;

/** People who were asked since then, in a campaign, or for one of these rows of the log. */
type AskedFor = { since: number } | { campaignId: string } | { logIds: readonly string[] };

/** Challenges of a project that are open at once. Each is a row of some hundred bytes for ten minutes. */
const MAX_OPEN = 5_000;
const ASKED_LOOKED_AT = 20_000;

export function challengeStore(database: Database) {
  return {
    /** `false`: too many are open. */
    async open(row: ChallengeRow): Promise<boolean> {
      const opened = `SELECT 1 FROM challenge WHERE project_id = ? AND at > ? LIMIT ${MAX_OPEN}`;
      const when = {
        sql: `(SELECT count(*) FROM (${opened}) AS opened) < ${MAX_OPEN}`,
        values: [row.projectId, row.at - (row.expiresAt - row.at)],
      };
      return hasChanged(database, CHALLENGE.insert(row, { when, suffix: 'RETURNING id' }));
    },
    find: (projectId: string, id: string): Promise<ChallengeRow | undefined> =>
      CHALLENGE.find(database.read, { projectId, id }),
    /** Takes one of the tries. Which of them it was, or `undefined` if none is left. */
    async takeTry(projectId: string, id: string, now: number): Promise<number | undefined> {
      const [rows] = await database.write([
        CHALLENGE.update(
          { projectId, id, passedAt: null },
          { also: 'tries = tries + 1' },
          `AND expires_at > ? AND tries < ${CHALLENGE_TRIES} RETURNING tries`,
          now,
        ),
      ]);
      const row = rows?.[0];
      return row && integer(row, 'tries');
    },
    /** Of any number at once one passes: the row says which. */
    async pass({ projectId, id, logId, kind }: ChallengeRow, now: number): Promise<boolean> {
      const [rows] = await database.write([
        CHALLENGE.update({ projectId, id, passedAt: null }, { passedAt: now, sealed: null }, 'RETURNING id'),
        VALIDATION_LOG.update({ projectId, id: logId }, { steppedUp: kind }),
      ]);
      return hasRows(rows);
    },
    /** Forgets a challenge that the person was never told of. */
    async withdraw(projectId: string, id: string): Promise<void> {
      await database.write([CHALLENGE.remove({ projectId, id })]);
    },
    vendor: (projectId: string): Promise<StepUpVendorRow | undefined> =>
      STEP_UP_VENDOR.find(database.read, { projectId }),
    vendorRemoval: (projectId: string): Statement => STEP_UP_VENDOR.remove({ projectId }),
    vendorChange: (row: StepUpVendorRow): Statement =>
      STEP_UP_VENDOR.insert(row, {
        when: { sql: 'EXISTS (SELECT 1 FROM project WHERE id = ?)', values: [row.projectId] },
        suffix: `ON CONFLICT (project_id) DO UPDATE SET vendor = excluded.vendor, site_key = excluded.site_key,
          sealed = excluded.sealed, away = excluded.away`,
      }),
    /** Those who were asked, with what is known of them now. */
    async asked(projectId: string, of: AskedFor): Promise<AskedPerson[]> {
      // The IDs come from an index alone, which SQLite would not use for whole rows.
      const [where, values] =
        'since' in of
          ? ["c.at >= ? AND c.mode = 'live' ORDER BY c.at DESC", [of.since]]
          : 'logIds' in of
            ? [
                `c.id IN (SELECT id FROM challenge WHERE project_id = ? AND log_id IN (${of.logIds.map(() => '?')}))`,
                [projectId, ...of.logIds],
              ]
            : [
                `c.mode = 'live' AND c.id IN (SELECT a.id FROM campaign_person p CROSS JOIN challenge a
                 WHERE p.project_id = ? AND p.campaign_id = ? AND a.project_id = p.project_id AND a.inbox = p.inbox)`,
                [projectId, of.campaignId],
              ];
      return ASKED_PERSON.findAll(
        database.browse,
        `SELECT c.kind, c.log_id, c.at, c.passed_at, c.expires_at, c.tries,
             CASE WHEN o.decided_at >= c.at THEN o.judgement END AS judgement
           FROM challenge c LEFT JOIN outcome o ON o.project_id = c.project_id AND o.inbox = c.inbox
           WHERE c.project_id = ? AND ${where} LIMIT ${ASKED_LOOKED_AT}`,
        ...[projectId, ...values],
      );
    },
  };
}
