import { type ClaimReason, DAY_MS } from '@postern/contract';
import type { ClaimsView } from '@postern/contract/dashboard';
import {
  type Database,
  hasRows,
  integer,
  integerOrNull,
  json,
  lockProject,
  type Statement,
  statement,
  text,
  textOrNull,
} from '../database.ts';
import { type RowOf, tableOf } from '../table-of.ts';
import type { TimedId } from '../timed-id.ts';
import { addEvent } from './event-table.ts';

/** A claim that was granted or refused. All that names a person is a keyed hash, or masked. */
export const CLAIM = tableOf('claim', {
  projectId: text,
  id: text,
  claim: text,
  at: integer,
  granted: integer,
  inbox: text,
  maskedAddress: text,
  claimant: textOrNull,
  /** The request’s `Idempotency-Key`. */
  keyHash: textOrNull,
  because: json<readonly ClaimReason[]>,
  /** Of a refusal: when the grant that stands in the way was made. */
  since: integer,
  releasedAt: integerOrNull,
});

/** What a granted claim holds: each handle once. */
export const CLAIM_HANDLE = tableOf('claim_handle', {
  projectId: text,
  claim: text,
  handle: text,
  claimId: text,
  inbox: text,
  at: integer,
});

export type ClaimRow = RowOf<typeof CLAIM>;
export type HandleRow = RowOf<typeof CLAIM_HANDLE>;

const places = (values: readonly unknown[]) => values.map(() => '?').join(', ');

export function claimStore(database: Database, timedId: TimedId) {
  const rows = async (sql: string, ...values: (string | number)[]): Promise<ClaimRow[]> =>
    (await database.read(statement(`SELECT ${CLAIM.list} FROM claim WHERE ${sql}`, ...values))).map(
      CLAIM.fromRow,
    );
  return {
    /** Which of the handles are held since then. */
    async holders(
      projectId: string,
      claim: string,
      handles: readonly string[],
      since: number,
    ): Promise<HandleRow[]> {
      const found = await database.read(
        statement(
          `SELECT ${CLAIM_HANDLE.list} FROM claim_handle
           WHERE project_id = ? AND claim = ? AND handle IN (${places(handles)}) AND at + 0 >= ?`,
          ...[projectId, claim, ...handles, since],
        ),
      );
      return found.map(CLAIM_HANDLE.fromRow);
    },
    /** The claim that a request with this `Idempotency-Key` made. */
    async byKey(projectId: string, keyHash: string): Promise<ClaimRow | undefined> {
      return (await rows(...byIndex(projectId, 'key_hash', keyHash)))[0];
    },
    async ofClaimant(projectId: string, claimant: string): Promise<ClaimRow[]> {
      const found = await rows(...byIndex(projectId, 'claimant', claimant));
      return found.filter(({ granted, releasedAt }) => granted === 1 && releasedAt === null);
    },
    /** Newest first. */
    page: (projectId: string, { before = '~', limit }: { before?: string | null; limit: number }) =>
      rows('project_id = ? AND id < ? ORDER BY id DESC LIMIT ?', projectId, before ?? '~', limit),
    /**
     * Grants a claim, if none of its handles is held. Claims of a project wait for its row, so that of any number at
     * once one is granted. `false`: another caller was first.
     */
    async grant(row: ClaimRow, handles: readonly string[], expiredBefore: number): Promise<boolean> {
      const these = `project_id = ? AND claim = ? AND handle IN (${places(handles)})`;
      const whose = [row.projectId, row.claim, ...handles];
      const written = await database.write([
        lockProject(row.projectId),
        statement(`DELETE FROM claim_handle WHERE ${these} AND at + 0 < ?`, ...whose, expiredBefore),
        CLAIM.insert(row, {
          when: {
            sql: `EXISTS (SELECT 1 FROM project WHERE id = ?)
              AND NOT EXISTS (SELECT 1 FROM claim_handle WHERE ${these})`,
            values: [row.projectId, ...whose],
          },
          suffix: 'RETURNING id',
        }),
        ...handles.map((handle) => holdHandle(row, handle)),
      ]);
      return hasRows(written[2]);
    },
    /** Keeps a refusal, and notifies the project’s webhooks. */
    async refuse(row: ClaimRow): Promise<void> {
      const { projectId, id, claim, at, because, since } = row;
      const exists = { sql: 'EXISTS (SELECT 1 FROM project WHERE id = ?)', values: [projectId] };
      const data = { claimId: id, claim, because, since: new Date(since).toISOString() };
      const event = { projectId, id, type: 'claim.refused', at, logId: null, data } as const;
      await database.write([CLAIM.insert(row, { when: exists }), ...addEvent(timedId, event, exists)]);
    },
    async findGranted(projectId: string, id: string): Promise<ClaimRow | undefined> {
      return (await rows('project_id = ? AND id = ? AND granted = 1', projectId, id))[0];
    },
    /** Frees what a granted claim holds. */
    release: (projectId: string, id: string, now: number): Statement[] => [
      lockProject(projectId),
      statement('DELETE FROM claim_handle WHERE project_id = ? AND claim_id = ?', projectId, id),
      statement(
        `UPDATE claim SET released_at = coalesce(released_at, ?), key_hash = NULL
         WHERE project_id = ? AND id = ? AND granted = 1`,
        ...[now, projectId, id],
      ),
    ],
    /** What became of each claim since then, by its name. */
    async summary(projectId: string, since: number): Promise<ClaimsView['summary']> {
      const found = await database.browse(
        statement(
          `SELECT c.claim, sum(c.granted) AS granted, sum(1 - c.granted) AS refused,
             count(DISTINCT CASE WHEN c.granted = 0 AND o.judgement = 'good' AND o.decided_at >= c.at THEN c.inbox END) AS good,
             count(DISTINCT CASE WHEN c.granted = 0 AND o.judgement = 'bad' THEN c.inbox END) AS bad
           FROM claim c LEFT JOIN outcome o ON o.project_id = c.project_id AND o.inbox = c.inbox
           WHERE c.project_id = ? AND c.at >= ? GROUP BY c.claim ORDER BY c.claim`,
          ...[projectId, since],
        ),
      );
      return found.map((row) => ({
        claim: text(row, 'claim'),
        granted: Number(row.granted),
        refused: Number(row.refused),
        refusedGood: Number(row.good),
        refusedBad: Number(row.bad),
      }));
    },
    /** How many were granted and refused on each day (UTC) since then that had any, oldest first. */
    async byDay(projectId: string, since: number): Promise<ClaimsView['days']> {
      const found = await database.browse(
        statement(
          `SELECT at - at % ${DAY_MS} AS day, sum(granted) AS granted, sum(1 - granted) AS refused
           FROM claim WHERE project_id = ? AND at >= ? GROUP BY at - at % ${DAY_MS} ORDER BY day`,
          ...[projectId, since],
        ),
      );
      return found.map((row) => ({
        at: Number(row.day),
        granted: Number(row.granted),
        refused: Number(row.refused),
      }));
    },
  };
}

/** Only if the claim was granted: then it is there. */
function holdHandle({ projectId, claim, id, inbox, at }: ClaimRow, handle: string): Statement {
  return CLAIM_HANDLE.insert(
    { projectId, claim, handle, claimId: id, inbox, at },
    {
      when: { sql: 'EXISTS (SELECT 1 FROM claim WHERE project_id = ? AND id = ?)', values: [projectId, id] },
    },
  );
}

/** SQLite reads an index that has all columns it is asked for, and else all claims of the project. */
function byIndex(projectId: string, column: 'key_hash' | 'claimant', value: string) {
  const ids = `SELECT id FROM claim WHERE project_id = ? AND ${column} = ? LIMIT 200`;
  return [`project_id = ? AND id IN (${ids})`, projectId, projectId, value] as const;
}
