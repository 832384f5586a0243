import { closeSync, existsSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import type { AdministeredStore } from '../administered-store.ts';
import { authDatabase } from '../auth-database.ts';
import { type Database, statement } from '../database.ts';
import { patience, withDeadline } from '../deadline.ts';
import { createRetryQueue } from '../retry-queue.ts';
import { StoreUnavailable } from '../store.ts';
import { consumedQuota, toMessage } from '../submission-message.ts';
import { sweeping } from '../sweep.ts';
import { auditTable } from '../tables/audit-table.ts';
import { instanceTable } from '../tables/instance-table.ts';
import { keyTable, toKeyWithProject } from '../tables/key-table.ts';
import { logTable } from '../tables/log-table.ts';
import { peopleTable } from '../tables/people-table.ts';
import { projectTable } from '../tables/project-table.ts';
import { refund } from '../tables/quota-table.ts';
import { timedIds } from '../timed-id.ts';
import { logDropping } from './drop-log.ts';
import { createRestartingWorker } from './restarting-worker.ts';
import { settleLane } from './settle-lane.ts';
import { sqliteAdministration } from './sqlite-administration.ts';
import { sqliteErasure } from './sqlite-erasure.ts';
import { sqliteMemory } from './sqlite-memory.ts';
import { startWorkerThread } from './worker-thread.ts';

export interface SqliteStoreOptions {
  /** The database file; it and its folder are made when they are missing. */
  readonly file: string;
  /** The compiled worker, when it is not beside this module. */
  readonly workerUrl?: URL;
}

/** Some 2.5 MiB of the write-ahead log: commits beside a checkpoint wait for the disk, the longer the more it copies. */
const SETTLES_A_CHECKPOINT = 250;
const CHECKPOINT = statement('PRAGMA wal_checkpoint(PASSIVE)');

/**
 * The embedded store: one file, written by one thread a process, exact across as many processes of one machine
 * as open it.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<AdministeredStore> {
  const file = resolve(options.file);
  makeFile(file);
  const url = options.workerUrl ?? compiledWorker();
  const writer = createRestartingWorker(() =>
    startWorkerThread(url, { file, access: 'write', migrate: true }),
  );
  const reader = createRestartingWorker(() =>
    startWorkerThread(url, { file, access: 'read', migrate: false }),
  );
  await writer.open();
  const database: Database = {
    read: (query) => writer.call('run', query),
    browse: (query) => reader.call('run', query),
    write: (statements) => writer.call('write', statements),
  };
  const timedId = timedIds();
  const patient = patience();
  const { insist, close: lastTry } = createRetryQueue();
  const settle = settleLane({
    settle: (submissions) => writer.call('settle', submissions),
    patient,
    late: (submission, answer) => {
      if (!consumedQuota(submission, answer)) return;
      insist(() => refund(database, submission.project, submission.month));
    },
  });
  const checkpointSometimes = every(SETTLES_A_CHECKPOINT, () => database.browse(CHECKPOINT));

  return {
    async findKey(hash, patienceMs) {
      const row = await withDeadline(patient, patienceMs, writer.call('findKey', hash));
      return row === null ? undefined : toKeyWithProject(row);
    },
    settle(submission, patienceMs) {
      checkpointSometimes();
      return settle(toMessage(submission, timedId), patienceMs);
    },
    refund: (projectId, month) => refund(database, projectId, month),
    projects: projectTable(database),
    keys: keyTable(database),
    log: logTable(database, 'instr'),
    memory: sqliteMemory(database),
    erasure: sqliteErasure(database),
    instance: instanceTable(database),
    audit: auditTable(database, timedId),
    people: peopleTable(database),
    auth: authDatabase(database, 'sqlite'),
    async ping() {
      await withDeadline(patient, undefined, writer.call('run', statement('SELECT 1')));
    },
    sweep: sweeping(database, {
      dropLog: logDropping(database),
      forgetDevices: (project, devices, cutoff, limit) =>
        writer.call('forget', { project, devices, cutoff, limit }),
    }),
    ...sqliteAdministration(file, database, (access) =>
      startWorkerThread(url, { file, access, migrate: false }),
    ),
    async close() {
      await lastTry();
      await reader.close();
      await writer.close();
    },
  };
}

/** Only its owner may read the file: it holds the signing keys. */
function makeFile(file: string): void {
  try {
    makeFolder(dirname(file));
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw new StoreUnavailable(
      `${file}: the database cannot be made; look at the folder, its owner and its rights`,
      { cause: error },
    );
  }
}

/** Run from the sources, as tests do, the thread still needs the compiled worker: Node 20 loads no TypeScript. */
function compiledWorker(): URL {
  const here = import.meta.url;
  const url = new URL(here.endsWith('.ts') ? '../../../dist/store/sqlite/worker.js' : './worker.js', here);
  if (!existsSync(url)) throw new Error('The service is not built; run `npm run build` first');
  return url;
}

/**
 * Copying the write-ahead log back into the database takes tens of milliseconds, in which no request is settled
 * if the writer does it. The reader’s thread can do it beside the writer.
 */
function every(calls: number, work: () => Promise<unknown>): () => void {
  let counted = 0;
  let busy = false;
  return () => {
    counted += 1;
    if (counted < calls || busy) return;
    counted = 0;
    busy = true;
    work()
      .catch(() => {})
      .finally(() => {
        busy = false;
      });
  };
}
