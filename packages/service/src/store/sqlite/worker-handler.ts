import { BoundedMap } from '../../model/bounded-map.ts';
import type { Row, Statement } from '../database.ts';
import type { CompactionStep } from '../store.ts';
import type { SettlementMessage, SubmissionMessage } from '../submission-message.ts';
import { hashHandle, keysWithProjects } from '../tables/key-table.ts';
import type { Connection } from './connection.ts';
import { deviceForgetting } from './device-table.ts';
import { createFairWriteLock } from './fair-write-lock.ts';
import { releasePages } from './release-pages.ts';
import { settleBatch } from './settle-batch.ts';
import { statisticsMerging } from './statistics-merging.ts';
import { type Answer, type Call, type Failure, unpackSubmissions } from './worker-messages.ts';

type Explain = (error: unknown) => Failure;

/**
 * Answers everything that arrived together: single calls first, then all settles in one transaction. `sync` is called once
 * if anything was committed. Free pages are released only when no settle arrived.
 */
export function createWorkerHandler(
  connection: Connection,
  access: 'read' | 'write',
  sync: () => void,
  lockTimeoutMs?: number,
) {
  const prepare = preparedStatements(connection);
  let isSynced = true;
  const onCommit = () => {
    isSynced = false;
  };
  const withWriteLock = createFairWriteLock(connection, onCommit, lockTimeoutMs);
  const keyByHash = keysWithProjects('= ?');
  const { settleAll, clearCaches } = access === 'write' ? settleBatch(connection) : readOnly;
  const forgetDevice = access === 'write' ? deviceForgetting(connection) : () => 0;
  const statistics = access === 'write' ? statisticsMerging(connection) : readOnly;
  const rowsOf = ({ sql, values }: Statement) => {
    expectValues(sql, values);
    return prepare(sql).all(values) as Row[];
  };
  const releaseSome = access === 'write' ? releasePages(connection, withWriteLock) : () => 'done' as const;
  const fetch = fetching(connection);
  const writing = <T>(work: () => T): T => {
    clearCaches();
    return withWriteLock(work);
  };

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
        return writing(() => statements.map(rowsOf));
      }
      case 'forget': {
        const { project, devices, cutoff } = call[2];
        return writing(() =>
          devices.reduce((dropped, device) => dropped + forgetDevice(project, device, cutoff), 0),
        );
      }
      case 'statistics': {
        const { project, forgetDomain } = call[2];
        // What the batches cache is not in these tables.
        return withWriteLock(() =>
          forgetDomain === null ? statistics.merge(project) : statistics.forgetDomain(project, forgetDomain),
        );
      }
      default:
        return null;
    }
  };

  const settle = (
    submissions: readonly SubmissionMessage[],
    timeouts: readonly Int32Array[],
  ): SettlementMessage[] => {
    try {
      return withWriteLock((dataVersion) => {
        // Waiting for the lock may have taken longer than a caller’s deadline. Requests that were answered 503 are not
        // counted.
        const wanted = timeouts.flatMap((flags) => Array.from(flags, (flag) => flag === 0));
        if (wanted.every(Boolean)) return settleAll(submissions, dataVersion);
        const settled = settleAll(
          submissions.filter((_, index) => wanted[index]),
          dataVersion,
        );
        return wanted.map((isWanted) => (isWanted ? (settled.shift() ?? null) : null));
      });
    } catch (error) {
      clearCaches();
      throw error;
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
    const submissions: SubmissionMessage[] = [];
    const timeouts: Int32Array[] = [];
    for (const call of calls) {
      if (call[1] === 'settle') {
        settles.push({ id: call[0], from: submissions.length, count: call[2].count });
        timeouts.push(call[2].timeouts);
        submissions.push(...unpackSubmissions(call[2]));
      } else if (call[1] === 'compact') {
        answers.push(attempt(call[0], () => compact(isBusy), explain));
      } else if (call[1] !== 'close') {
        answers.push(attempt(call[0], () => single(call), explain));
      }
    }
    if (submissions.length > 0) {
      try {
        const settlements = settle(submissions, timeouts);
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

const readOnly = {
  settleAll: (): SettlementMessage[] => {
    throw new Error('This connection only reads');
  },
  clearCaches: () => {},
  merge: () => 0,
  forgetDomain: () => 0,
};

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
  return (sql: string) => {
    let statement = prepared.get(sql);
    if (!statement) {
      statement = connection.prepare(sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
}
