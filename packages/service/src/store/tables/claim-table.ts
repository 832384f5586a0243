import { type ClaimReason, DAY_MS } from '@postern/contract';
import type { ClaimsView } from '@postern/contract/dashboard';
import { integer, integerOrNull, json, text, textOrNull } from '../columns.ts';
import { type Database, hasRows, lockProject, type Statement } from '../database.ts';
import { type RowOf, rowOf, tableOf } from '../table-of.ts';
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

const SUMMARY = rowOf({
  claim: text,
  granted: integer,
  refused: integer,
  refusedGood: integer,
  refusedBad: integer,
});
const DAY = rowOf({ at: integer, granted: integer, refused: integer });

export function claimStore(database: Database, timedId: TimedId) {
  return {
    /** Which of the handles are held since then. */
    holders: (
      projectId: string,
      claim: string,
      handles: readonly string[],
      since: number,
    ): Promise<HandleRow[]> =>
      CLAIM_HANDLE.findAll(database.read, { projectId, claim, handle: handles }, 'AND at + 0 >= ?', since),
    /** The claim that a request with this `Idempotency-Key` made. */
    byKey: (projectId: string, keyHash: string): Promise<ClaimRow | undefined> =>
      CLAIM.find(database.read, { projectId }, ...byIndex('key_hash', projectId, keyHash)),
    async ofClaimant(projectId: string, claimant: string): Promise<ClaimRow[]> {
      const byClaimant = byIndex('claimant', projectId, claimant);
      const found = await CLAIM.findAll(database.read, { projectId }, ...byClaimant);
      return found.filter(({ granted, releasedAt }) => granted === 1 && releasedAt === null);
    },
    /** Newest first. */
    page: (projectId: string, { before, limit }: { before?: string | null; limit: number }) =>
      CLAIM.findAll(
        database.read,
        { projectId },
        'AND id < ? ORDER BY id DESC LIMIT ?',
        before ?? '~',
        limit,
      ),
    /**
     * Grants a claim, if none of its handles is held. Claims of a project wait for its row, so that of any number at
     * once one is granted. `false`: another caller was first.
     */
    async grant(row: ClaimRow, handles: readonly string[], expiredBefore: number): Promise<boolean> {
      const { projectId, claim } = row;
      const held = CLAIM_HANDLE.select({ projectId, claim, handle: handles });
      const written = await database.write([
        lockProject(projectId),
        CLAIM_HANDLE.remove({ projectId, claim, handle: handles }, 'AND at + 0 < ?', expiredBefore),
        CLAIM.insert(row, {
          when: {
            sql: `EXISTS (SELECT 1 FROM project WHERE id = ?) AND NOT EXISTS (${held.sql})`,
            values: [projectId, ...held.values],
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
    findGranted: (projectId: string, id: string): Promise<ClaimRow | undefined> =>
      CLAIM.find(database.read, { projectId, id, granted: 1 }),
    /** Frees what a granted claim holds. */
    release: (projectId: string, id: string, now: number): Statement[] => [
      lockProject(projectId),
      CLAIM_HANDLE.remove({ projectId, claimId: id }),
      CLAIM.update({ projectId, id, granted: 1, releasedAt: null }, { releasedAt: now }),
      CLAIM.update({ projectId, id, granted: 1 }, { keyHash: null }),
    ],
    /** What became of each claim since then, by its name. */
    summary: (projectId: string, since: number): Promise<ClaimsView['summary']> =>
      SUMMARY.findAll(
        database.browse,
        `SELECT c.claim, sum(c.granted) AS granted, sum(1 - c.granted) AS refused,
             count(DISTINCT CASE WHEN c.granted = 0 AND o.judgement = 'good' AND o.decided_at >= c.at THEN c.inbox END)
               AS refused_good,
             count(DISTINCT CASE WHEN c.granted = 0 AND o.judgement = 'bad' THEN c.inbox END) AS refused_bad
           FROM claim c LEFT JOIN outcome o ON o.project_id = c.project_id AND o.inbox = c.inbox
           WHERE c.project_id = ? AND c.at >= ? GROUP BY c.claim ORDER BY c.claim`,
        ...[projectId, since],
      ),
    /** How many were granted and refused on each day (UTC) since then that had any, oldest first. */
    byDay: (projectId: string, since: number): Promise<ClaimsView['days']> =>
      DAY.findAll(
        database.browse,
        `SELECT at - at % ${DAY_MS} AS at, sum(granted) AS granted, sum(1 - granted) AS refused
           FROM claim WHERE project_id = ? AND at >= ? GROUP BY at - at % ${DAY_MS} ORDER BY 1`,
        ...[projectId, since],
      ),
  };
}

/** Only if the claim was granted: then it is there. */
function holdHandle({ projectId, claim, id, inbox, at }: ClaimRow, handle: string): Statement {
  const when = {
    sql: 'EXISTS (SELECT 1 FROM claim WHERE project_id = ? AND id = ?)',
    values: [projectId, id],
  };
  return CLAIM_HANDLE.insert({ projectId, claim, handle, claimId: id, inbox, at }, { when });
}

/** SQLite reads an index that has all columns it is asked for, and else all claims of the project. */
function byIndex(column: 'key_hash' | 'claimant', ...values: [projectId: string, value: string]) {
  const ids = `SELECT id FROM claim WHERE project_id = ? AND ${column} = ? LIMIT 200`;
  return [`AND id IN (${ids})`, ...values] as const;
}
