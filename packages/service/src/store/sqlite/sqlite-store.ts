import { closeSync, existsSync, openSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import type { AdministeredStore } from '../administered-store.ts';
import { createBatcher, MAX_BATCH } from '../batcher.ts';
import { clockStore } from '../clock.ts';
import { type Database, statement } from '../database.ts';
import { createDeadlineTimer, type Patience, withDeadline } from '../deadline.ts';
import { type Erasure, erasure } from '../erasure.ts';
import { StoreUnavailable } from '../store.ts';
import type { Settlement, Submission } from '../submission.ts';
import { sweeping } from '../sweep.ts';
import { tableStores } from '../table-stores.ts';
import { toKeyWithProject } from '../tables/key-table.ts';
import { mergeSometimes, type StatisticsStore } from '../tables/statistics-table.ts';
import { takeQuota } from '../tables/take-quota.ts';
import { timedIds } from '../timed-id.ts';
import { CHECKPOINT, checkpoints } from './checkpoints.ts';
import { sqliteAdministration } from './sqlite-administration.ts';
import type { WorkerSettings } from './worker-messages.ts';
import { createRestartingWorker, startWorkerThread } from './worker-thread.ts';

export interface SqliteStoreOptions {
  /** The database file. It and its folder are created if they are missing. */
  readonly file: string;
  /** For commands, which wait longer than requests for other processes. */
  readonly patience?: Patience | undefined;
}

/**
 * With a second core the thread settles some requests while the event loop still reads others. It takes all batches that
 * wait into one transaction, so their number does no harm. On a single core nothing runs at the same time, and each message
 * costs: one batch is written while the next one waits.
 */
const BATCHES = availableParallelism() > 1 ? { sendEarlyAt: 32, maxUnderWay: 16 } : { maxUnderWay: 2 };

/** The file gets smaller only with a checkpoint. A step writes more than a settle: up to 40 pages. */
const STEPS_PER_CHECKPOINT = 16;

/**
 * The embedded store: one file, with one writer thread per process. Counting is exact over all processes of one machine
 * that open it.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<AdministeredStore> {
  const file = resolve(options.file);
  makeFile(file);
  const url = bundledWorker();
  const lockTimeoutMs = options.patience?.limitMs;
  const settles = options.patience === undefined;
  const thread = (settings: Omit<WorkerSettings, 'file'>) =>
    createRestartingWorker(() => startWorkerThread(url, { file, ...settings }));
  const writer = thread({ access: 'write', migrate: true, lockTimeoutMs, settles });
  const settler = settles ? writer : thread({ access: 'write', lockTimeoutMs, settles: true });
  const reader = thread({ access: 'read' });
  await writer.open();
  const database: Database = {
    read: (query) => writer.call('run', query),
    browse: (query) => reader.call('run', query),
    write: (statements) => writer.call('write', statements),
  };
  const timedId = timedIds();
  const startTimer = createDeadlineTimer();
  const tables = tableStores(database, 'sqlite', startTimer, timedId);
  const { statistics } = tables;
  const merges = mergeSometimes(statistics.merge);
  const settling = createBatcher<Submission, Settlement>({
    async send(submissions) {
      const batch = JSON.stringify(submissions);
      const settled = await settler.call('settle', { count: submissions.length, batch });
      for (const [project, requests] of requestsByProject(submissions))
        merges.batchSettled(project, requests);
      return settled;
    },
    startTimer,
    maxSize: MAX_BATCH,
    ...BATCHES,
  });
  const checkpointSometimes = checkpoints(file, database);
  let stepsSinceCheckpoint = 0;

  return {
    async findKey(hash, timeoutMs) {
      const row = await withDeadline(startTimer, timeoutMs, writer.call('findKey', hash));
      return row === null ? undefined : toKeyWithProject(row);
    },
    async settle(submission, timeoutMs) {
      checkpointSometimes();
      return settling.call(submission, timeoutMs);
    },
    ...tables,
    takeQuota: (request) => takeQuota(database, request),
    erasure: sqliteErasure(database, statistics.forgetDomain),
    clock: clockStore(database),
    connections: () => undefined,
    async ping() {
      await withDeadline(startTimer, lockTimeoutMs, writer.call('run', statement('SELECT 1')));
    },
    sweep: sweeping(database, statistics.merge),
    async compact() {
      const step = await writer.call('compact', null);
      if (step === 'more') stepsSinceCheckpoint += 1;
      if (stepsSinceCheckpoint >= (step === 'done' ? 1 : STEPS_PER_CHECKPOINT)) {
        await database.browse(CHECKPOINT);
        stepsSinceCheckpoint = 0;
      }
      return step;
    },
    ...sqliteAdministration(file, database, (access) => startWorkerThread(url, { file, access })),
    async close() {
      await settling.idle();
      await merges.idle();
      for (const one of [reader, settler, writer]) await one.close();
    },
  };
}

function requestsByProject(submissions: readonly Submission[]): Map<string, number> {
  const requests = new Map<string, number>();
  for (const { projectId } of submissions) requests.set(projectId, (requests.get(projectId) ?? 0) + 1);
  return requests;
}

/** Only the owner may read the file, because it holds the signing keys. */
function makeFile(file: string): void {
  try {
    makeFolder(dirname(file));
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw new StoreUnavailable(
      `${file}: cannot create the database; check the folder, its owner and its permissions`,
      { code: (error as NodeJS.ErrnoException).code ?? 'unknown', cause: error },
    );
  }
}

/** Works from the source and from the compiled code, because both are at the same depth. */
const BUNDLE = new URL('../../../dist/bundle/', import.meta.url);

/** The thread needs the bundled worker even when the service runs from its sources, as in tests: Node 20 cannot load TypeScript. */
function bundledWorker(): URL {
  const url = new URL('sqlite-worker.js', BUNDLE);
  if (!existsSync(url)) throw new Error('The service is not built; run `npm run build` first');
  return url;
}

/** Erases, and then empties the write-ahead log. */
export function sqliteErasure(database: Database, forgetDomain: StatisticsStore['forgetDomain']): Erasure {
  const { erase, find } = erasure(database, forgetDomain);
  return {
    find,
    async erase(project, whose, dryRun, keepClaims) {
      const rows = await erase(project, whose, dryRun, keepClaims);
      if (!dryRun) await emptyWriteAheadLog(database);
      return rows;
    },
  };
}

const EMPTY_TRIES = 20;
const EMPTY_EVERY_MS = 100;

/**
 * The write-ahead log still holds the pages as they were before. It can only be emptied while there is no reader. If there
 * are always readers, the next checkpoints overwrite it instead.
 */
async function emptyWriteAheadLog(database: Database): Promise<void> {
  for (let tries = 0; tries < EMPTY_TRIES; tries += 1) {
    const [row] = await database.read(statement('PRAGMA wal_checkpoint(TRUNCATE)'));
    if (row?.busy === 0) return;
    await new Promise((resolve) => setTimeout(resolve, EMPTY_EVERY_MS));
  }
}
