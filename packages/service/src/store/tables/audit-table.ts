import { createHash } from 'node:crypto';
import { HOUR_MS } from '@postern/contract';
import { integer, integerOrNull, json, text, textOrNull } from '../columns.ts';
import type { Database, Row, Statement } from '../database.ts';
import { StoreConflict } from '../store-errors.ts';
import { type RowOf, rowOf, tableOf } from '../table-of.ts';
import { type TimedId, timeOfId } from '../timed-id.ts';
import { SECRET, secretChange } from './instance-table.ts';

export const AUDIT = tableOf('audit', {
  id: text,
  at: integer,
  /** Who: `cli`, or a member’s ID. */
  actor: text,
  /** What: `key.create`, `project.update` … */
  action: text,
  projectId: textOrNull,
  detail: json<Readonly<Record<string, unknown>>>,
  /** The place in the chain, from 1 on. `null` for a moment after a row is written. */
  seq: integerOrNull,
  /** Of the row and of the hash before it. */
  hash: textOrNull,
});

export type AuditRow = Omit<RowOf<typeof AUDIT>, 'id' | 'seq' | 'hash'>;
export type ChainedAuditRow = RowOf<typeof AUDIT>;

/** A place in the chain and its hash. Before the first row: 0 and an empty hash. */
export interface ChainEnd {
  readonly seq: number;
  readonly hash: string;
}

export type ChainReport = {
  /** How many rows were checked. */
  readonly rows: number;
  /** Rows that were deleted because of their age are not checked; the chain begins after this one. */
  readonly start: ChainEnd;
  readonly end: ChainEnd;
  /** The first row that is not what it was, or `undefined`. */
  readonly broken: { readonly seq: number; readonly reason: string } | undefined;
};

export type AuditStore = ReturnType<typeof auditStore>;

const ROWS_PER_STEP = 200;
const MAX_ATTEMPTS = 50;
/** The end of what was deleted, which the first row that is left continues. */
const START_NAME = 'audit-chain-start';
const STREAMED_NAME = 'audit-streamed';
const PRUNED = 'audit.prune';
/** Rows of several processes join the chain a little out of order. */
const CLOCKS_DIFFER_MS = HOUR_MS;

const STRAY = rowOf({ early: integerOrNull, unchainedAt: integerOrNull });
const BACKLOG = rowOf({ newest: integerOrNull, oldestAt: integerOrNull });

interface CheckedEnd extends ChainEnd {
  readonly at: number;
}

export function auditStore(database: Database, timedId: TimedId) {
  const start = async (): Promise<ChainEnd> => {
    const kept = await SECRET.find(database.read, { name: START_NAME });
    return kept === undefined ? { seq: 0, hash: '' } : (JSON.parse(kept.value) as ChainEnd);
  };
  /** Chains some rows that are not chained yet. Returns how many. Of several processes, one succeeds and the others see it. */
  const chainSome = async (): Promise<number> => {
    const last = await AUDIT.find(database.read, {}, 'AND seq IS NOT NULL ORDER BY seq DESC LIMIT 1');
    let { seq, hash } = last ?? (await start());
    const rows = await database.read(AUDIT.select({ seq: null }, `ORDER BY at, id LIMIT ${ROWS_PER_STEP}`));
    if (rows.length === 0) return 0;
    await database.write(
      rows.map((row) => {
        seq = Number(seq) + 1;
        hash = hashOf(row, seq, hash ?? '');
        // Each place exists once, so two processes cannot both continue the same end with other rows.
        return AUDIT.update({ id: text(row, 'id'), seq: null }, { seq, hash });
      }),
    );
    return rows.length;
  };
  const chainAll = async (): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; ) {
      try {
        if ((await chainSome()) === 0) return;
      } catch (error) {
        attempt += 1;
        if (attempt === MAX_ATTEMPTS || (error as Error).name === 'StoreUnavailable') throw error;
      }
    }
  };

  /** A row that is not in the chain, although it says that it is older than the chain’s end. */
  const strayOf = async (start: ChainEnd, end: CheckedEnd): Promise<string | undefined> => {
    const { early = null, unchainedAt: at = null } =
      (await STRAY.find(
        database.browse,
        `SELECT (SELECT seq FROM audit WHERE seq <= ? ORDER BY seq LIMIT 1) AS early,
           (SELECT min(at) FROM audit WHERE seq IS NULL) AS unchained_at`,
        start.seq,
      )) ?? {};
    if (early !== null) return `there is a row ${early} in front of the beginning`;
    return at !== null && at < end.at - CLOCKS_DIFFER_MS
      ? `a row of ${new Date(at).toISOString()} is not in the chain`
      : undefined;
  };

  /** The place of the last row that was sent elsewhere. */
  async function streamedTo(): Promise<number> {
    return Number((await SECRET.find(database.read, { name: STREAMED_NAME }))?.value ?? 0);
  }

  return {
    async append(row: AuditRow): Promise<void> {
      await database.write([auditInsertion(row, timedId)]);
      await chainAll();
    },
    /** Continues the chain with the rows that other statements wrote. */
    chain: chainAll,
    /** Rows of the chain after that place, oldest first. */
    after: (seq: number, limit: number): Promise<ChainedAuditRow[]> =>
      AUDIT.findAll(database.browse, {}, 'AND seq > ? ORDER BY seq LIMIT ?', seq, limit),
    /** Computes every hash again. */
    async verify(): Promise<ChainReport> {
      const beginning = await start();
      let end: CheckedEnd = { ...beginning, at: 0 };
      let count = 0;
      let isStartTold = beginning.seq === 0;
      const report = (reason?: string): ChainReport => ({
        rows: count,
        start: beginning,
        end: { seq: end.seq, hash: end.hash },
        broken: reason === undefined ? undefined : { seq: end.seq + 1, reason },
      });
      for (;;) {
        const next = AUDIT.select({}, `AND seq > ? ORDER BY seq LIMIT ${ROWS_PER_STEP}`, end.seq);
        const rows = await database.browse(next);
        for (const row of rows) {
          const seq = integer(row, 'seq');
          const reason = faultOf(row, seq, end);
          if (reason !== undefined) return report(reason);
          end = { seq, hash: text(row, 'hash'), at: integer(row, 'at') };
          count += 1;
          isStartTold ||= row.action === PRUNED && tellsStart(row, beginning);
        }
        if (rows.length > 0) continue;
        if (!isStartTold)
          return report(
            `rows up to ${beginning.seq} are missing, and no entry ${PRUNED} says that they were deleted`,
          );
        return report(await strayOf(beginning, end));
      }
    },
    /** The hash at that place, if it was not deleted. */
    async hashAt(seq: number): Promise<string | undefined> {
      return (await AUDIT.find(database.read, { seq }))?.hash ?? undefined;
    },
    /**
     * Deletes rows before that time, the oldest first. The chain then begins after them, and an entry of `now` says so.
     * Returns how many.
     */
    async deleteBefore(time: number, limit: number, now: number): Promise<number> {
      const oldest = 'AND seq IS NOT NULL ORDER BY seq LIMIT ?';
      const rows = await AUDIT.findAll(database.read, {}, oldest, limit);
      const young = rows.findIndex(({ at }) => at >= time);
      const old = young === -1 ? rows : rows.slice(0, young);
      const last = old.at(-1);
      if (last === undefined) return 0;
      const { seq, hash } = last;
      const detail = { rows: old.length, upTo: seq, hash };
      const [deleted] = await database.write([
        AUDIT.remove({}, 'AND seq <= ? RETURNING id', seq),
        secretChange(START_NAME, JSON.stringify({ seq, hash })),
        auditInsertion({ at: now, actor: 'service', action: PRUNED, projectId: null, detail }, timedId),
      ]);
      await chainAll();
      return deleted?.length ?? 0;
    },
    streamedTo,
    /** How many entries wait to be streamed, and since when the oldest does. */
    async backlog(): Promise<{ readonly waiting: number; readonly oldestAt: number | null }> {
      const sent = await streamedTo();
      const { newest = null, oldestAt = null } =
        (await BACKLOG.find(
          database.browse,
          `SELECT (SELECT seq FROM audit WHERE seq IS NOT NULL ORDER BY seq DESC LIMIT 1) AS newest,
             (SELECT at FROM audit WHERE seq > ? ORDER BY seq LIMIT 1) AS oldest_at`,
          sent,
        )) ?? {};
      return { waiting: oldestAt === null ? 0 : (newest ?? sent) - sent, oldestAt };
    },
    /** Moves it on, unless another process has done so. */
    async noteStreamed(from: number, to: number): Promise<void> {
      await database.write([secretChange(STREAMED_NAME, `${to}`, 'WHERE secret.value = ?', `${from}`)]);
    },
    /** Newest first, before the row with the ID `before`. */
    page(projectId: string | null, limit: number, before: string | null): Promise<ChainedAuditRow[]> {
      const whose = projectId === null ? {} : { projectId };
      // An ID begins with the time, which the index has.
      const from = before === null ? [] : [timeOfId(before), before];
      const order = `${before === null ? '' : 'AND at <= ? AND id < ? '}ORDER BY at DESC, id DESC LIMIT ?`;
      return AUDIT.findAll(database.browse, whose, order, ...from, limit);
    },
  };
}

/** Writes a row. It joins the chain with the next `chain`. */
function auditInsertion(row: AuditRow, timedId: TimedId): Statement {
  return AUDIT.insert({ ...row, id: timedId(row.at) });
}

/** Of everything that the row says, as it is stored, and of the hash before it. */
function hashOf(row: Row, seq: number, before: string): string {
  const { id, at, actor, action, project_id: project, detail } = row;
  const content = JSON.stringify([before, seq, id, at, actor, action, project, detail]);
  return createHash('sha256').update(content).digest('hex');
}

function faultOf(row: Row, seq: number, before: CheckedEnd): string | undefined {
  if (seq !== before.seq + 1) return `row ${before.seq + 1} is missing`;
  if (row.hash !== hashOf(row, seq, before.hash)) return `row ${seq} or the one before it was changed`;
  const earlierMs = before.at - integer(row, 'at');
  return earlierMs <= CLOCKS_DIFFER_MS
    ? undefined
    : `row ${seq} says that it is ${Math.round(earlierMs / HOUR_MS)} hours older than the one before it: it was inserted, or the clock was set back`;
}

function tellsStart(row: Row, { seq, hash }: ChainEnd): boolean {
  const { upTo, hash: told } = json<Readonly<Record<string, unknown>>>(row, 'detail');
  return upTo === seq && told === hash;
}

/**
 * Writes changes and what the audit log says of them in one transaction: both are stored, or neither is. Throws
 * StoreConflict if one of the changes does not hold any more, see `mustHold`, or if a new row has a key that is taken.
 */
export function committing(database: Database, timedId: TimedId, audit: Pick<AuditStore, 'chain'>) {
  return async (changes: readonly Statement[], notes: readonly AuditRow[]): Promise<Row[][]> => {
    const noted = notes.map((row) => auditInsertion(row, timedId));
    const rows = await database.write([...changes, ...noted]).catch((error: unknown) => {
      throw isUnmet(error)
        ? new StoreConflict('This was changed by somebody else at the same time. Try again.', {
            cause: error,
          })
        : error;
    });
    if (notes.length > 0) await audit.chain();
    return rows.slice(0, changes.length);
  };
}

/** What the back ends say of `mustHold` and of a key that is taken. */
function isUnmet(error: unknown): boolean {
  const { message = '', code, table } = error as { message?: string; code?: string; table?: string };
  return (
    /NOT NULL constraint failed: secret\.value|UNIQUE constraint failed/.test(message) ||
    (code === '23502' && table === 'secret') ||
    code === '23505'
  );
}
