import { BoundedMap } from '../../model/bounded-map.ts';
import { getOrMake } from '../../model/get-or-make.ts';
import type { Row, Statement } from '../database.ts';
import type { CompactionStep } from '../store.ts';
import type { Settlement, Submission } from '../submission.ts';
import { hashHandle, keysWithProjects } from '../tables/key-table.ts';
import { type Connection, readPragma } from './connection.ts';
import { createFairWriteLock } from './fair-write-lock.ts';
import type { Settling } from './settle-batch.ts';
import type { Answer, Call, Failure } from './worker-messages.ts';

type Explain = (error: unknown) => Failure;

export interface HandlerParts {
  readonly access: 'read' | 'write';
  /** Without it, the connection settles nothing. */
  readonly settling: Settling | undefined;
  /** Writes what was committed to the disk. */
  readonly sync: () => void;
  readonly lockTimeoutMs?: number | undefined;
}

/**
 * Answers everything that arrived together: single calls first, then all settles in one transaction. `sync` is called once
 * if anything was committed. Free pages are released only when no settle arrived.
 */
export function createWorkerHandler(
  connection: Connection,
  { access, settling, sync, lockTimeoutMs }: HandlerParts,
) {
  const prepare = preparedStatements(connection);
  let isSynced = true;
  const onCommit = () => {
    isSynced = false;
  };
  const withWriteLock = createFairWriteLock(connection, onCommit, lockTimeoutMs);
  const keyByHash = keysWithProjects('= ?');
  const settleAll = settling?.(connection) ?? settlesNothing;
  const rowsOf = ({ sql, values }: Statement) => {
    expectValues(sql, values);
    return prepare(sql).all(values) as Row[];
  };
  const releaseSome = access === 'write' ? releasePages(connection, withWriteLock) : () => 'done' as const;
  const fetch = fetching(connection);
  const single = (call: Call) => {
    switch (call[1]) {
      case 'findKey':
        return rowsOf({ sql: keyByHash, values: [hashHandle(call[2])] })[0] ?? null;
      case 'run':
        return rowsOf(call[2]);
      case 'fetch':
        return fetch(call[2]);
      case 'write': {
        const statements = call[2];
        return withWriteLock(() => statements.map(rowsOf));
      }
      default:
        return null;
    }
  };

  const syncIfNeeded = () => {
    if (isSynced) return;
    sync();
    isSynced = true;
  };

  const compact = (isBusy: boolean): CompactionStep => (isBusy ? 'busy' : releaseSome());

  return (calls: readonly Call[], explain: Explain): Answer[] => {
    const isBusy = calls.some(([, name]) => name === 'settle');
    let answers: Answer[] = [];
    const settles: { readonly id: number; readonly from: number; readonly count: number }[] = [];
    const submissions: Submission[] = [];
    for (const call of calls) {
      if (call[1] === 'settle') {
        settles.push({ id: call[0], from: submissions.length, count: call[2].count });
        submissions.push(...(JSON.parse(call[2].batch) as Submission[]));
      } else if (call[1] === 'compact') {
        answers.push(attempt(call[0], () => compact(isBusy), explain));
      } else if (call[1] !== 'close') {
        answers.push(attempt(call[0], () => single(call), explain));
      }
    }
    if (submissions.length > 0) {
      try {
        const settlements = withWriteLock(() => settleAll(submissions));
        for (const { id, from, count } of settles) answers.push([id, settlements.slice(from, from + count)]);
      } catch (error) {
        const failure = explain(error);
        for (const { id } of settles) answers.push([id, null, failure]);
      }
    }
    try {
      syncIfNeeded();
    } catch (error) {
      const failure = explain(error);
      answers = answers.map(([id]) => [id, null, failure]);
    }
    const closing = calls.find((call) => call[1] === 'close');
    if (closing) {
      connection.close();
      answers.push([closing[0], null]);
    }
    return answers;
  };
}

/** With a value of another type, the driver crashes the process instead of throwing. */
function expectValues(sql: string, values: readonly unknown[]): void {
  for (const value of values) {
    if (value !== null && typeof value !== 'string' && typeof value !== 'number') {
      throw new TypeError(`A statement was given a value of type ${typeof value}: ${sql}`);
    }
  }
}

/** One long query at a time, a few rows at a time. */
function fetching(connection: Connection) {
  let rows: Iterator<unknown> | undefined;
  return ({ sql, limit }: { sql: string | null; limit: number }): Row[] => {
    if (sql !== null) rows = connection.prepare(sql).iterate();
    const taken: Row[] = [];
    while (rows && taken.length < limit) {
      const next = rows.next();
      if (next.done) rows = undefined;
      else taken.push(next.value as Row);
    }
    return taken;
  };
}

function settlesNothing(): Settlement[] {
  throw new Error('This connection is not for requests');
}

function attempt(id: number, work: () => Answer[1], explain: Explain): Answer {
  try {
    return [id, work()];
  } catch (error) {
    return [id, null, explain(error)];
  }
}

const MAX_STATEMENTS = 1_000;

/** The tables’ SQL is a fixed set, apart from the log’s filters, of which there are a few hundred forms. */
function preparedStatements(connection: Connection) {
  const prepared = new BoundedMap<string, ReturnType<Connection['prepare']>>(MAX_STATEMENTS);
  return (sql: string) => getOrMake(prepared, sql, () => connection.prepare(sql));
}

/** Fewer free pages are kept: new rows will use them soon. 4 MiB. */
const MIN_FREE_PAGES = 1_024;
/** Releasing starts at this share of free pages. */
const START_SHARE = 0.25;
/** It stops at this share, so that the file does not shrink and grow all the time. */
const STOP_SHARE = 0.1;

/** A page takes about 0.05 ms. The commit then costs about as much as that of a request. */
const MAX_PAGES = 16;
const PAGES_AT_ONCE = 4;
/** Pages that must be read from a slow disk take longer. */
const MAX_WORK_MS = 2;

type WithWriteLock = <T>(work: () => T) => T;

/** Moves a few pages from the end of the file to free places and cuts the end off. The rows stay as they are. */
function releasePages(connection: Connection, withWriteLock: WithWriteLock) {
  const canShrink = readPragma(connection, 'auto_vacuum') === 2;
  let active = false;
  const moveSome = () => {
    const since = performance.now();
    for (let moved = 0; moved < MAX_PAGES; moved += PAGES_AT_ONCE) {
      connection.exec(`PRAGMA incremental_vacuum(${PAGES_AT_ONCE})`);
      if (performance.now() - since > MAX_WORK_MS) return;
    }
  };
  return (): CompactionStep => {
    if (!canShrink) return 'done';
    const free = readPragma(connection, 'freelist_count');
    const share = free / Math.max(1, readPragma(connection, 'page_count'));
    active = active ? share > STOP_SHARE : free >= MIN_FREE_PAGES && share >= START_SHARE;
    if (!active) return 'done';
    withWriteLock(moveSome);
    return 'more';
  };
}
