import { type CaptchaVendor, CHALLENGE_TRIES, type KeyType, type StepUpKind } from '@postern/contract';
import type { KeyMode } from '../../model/api-key.ts';
import {
  type Database,
  hasChanged,
  hasRows,
  integer,
  integerOrNull,
  type Statement,
  statement,
  text,
  textOrNull,
} from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';

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
export interface AskedPerson
  extends Pick<ChallengeRow, 'kind' | 'logId' | 'at' | 'passedAt' | 'expiresAt' | 'tries'> {
  readonly judgement: 'good' | 'bad' | null;
}

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
    async find(projectId: string, id: string): Promise<ChallengeRow | undefined> {
      const [row] = await database.read(
        statement(`SELECT ${CHALLENGE.list} FROM challenge WHERE project_id = ? AND id = ?`, projectId, id),
      );
      return row && CHALLENGE.fromRow(row);
    },
    /** Takes one of the tries. Which of them it was, or `undefined` if none is left. */
    async takeTry(projectId: string, id: string, now: number): Promise<number | undefined> {
      const [rows] = await database.write([
        statement(
          `UPDATE challenge SET tries = tries + 1 WHERE project_id = ? AND id = ?
             AND passed_at IS NULL AND expires_at > ? AND tries < ${CHALLENGE_TRIES} RETURNING tries`,
          ...[projectId, id, now],
        ),
      ]);
      const row = rows?.[0];
      return row && integer(row, 'tries');
    },
    /** Of any number at once one passes: the row says which. */
    async pass({ projectId, id, logId, kind }: ChallengeRow, now: number): Promise<boolean> {
      const [rows] = await database.write([
        statement(
          `UPDATE challenge SET passed_at = ?, sealed = NULL
           WHERE project_id = ? AND id = ? AND passed_at IS NULL RETURNING id`,
          ...[now, projectId, id],
        ),
        statement(
          'UPDATE validation_log SET stepped_up = ? WHERE project_id = ? AND id = ?',
          ...[kind, projectId, logId],
        ),
      ]);
      return hasRows(rows);
    },
    /** Forgets a challenge that the person was never told of. */
    async withdraw(projectId: string, id: string): Promise<void> {
      await database.write([
        statement('DELETE FROM challenge WHERE project_id = ? AND id = ?', projectId, id),
      ]);
    },
    async vendor(projectId: string): Promise<StepUpVendorRow | undefined> {
      const [row] = await database.read(
        statement(`SELECT ${STEP_UP_VENDOR.list} FROM step_up_vendor WHERE project_id = ?`, projectId),
      );
      return row && STEP_UP_VENDOR.fromRow(row);
    },
    vendorRemoval: (projectId: string): Statement =>
      statement('DELETE FROM step_up_vendor WHERE project_id = ?', projectId),
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
      const rows = await database.browse(
        statement(
          `SELECT c.kind, c.log_id, c.at, c.passed_at, c.expires_at, c.tries,
             CASE WHEN o.decided_at >= c.at THEN o.judgement END AS judgement
           FROM challenge c LEFT JOIN outcome o ON o.project_id = c.project_id AND o.inbox = c.inbox
           WHERE c.project_id = ? AND ${where} LIMIT ${ASKED_LOOKED_AT}`,
          ...[projectId, ...values],
        ),
      );
      return rows.map((row) => ({
        kind: text<StepUpKind>(row, 'kind'),
        logId: text(row, 'log_id'),
        at: integer(row, 'at'),
        passedAt: integerOrNull(row, 'passed_at'),
        expiresAt: integer(row, 'expires_at'),
        tries: integer(row, 'tries'),
        judgement: textOrNull<'good' | 'bad'>(row, 'judgement'),
      }));
    },
  };
}
