import type { Project } from '../../model/project.ts';
import { type Batcher, createBatcher, MAX_BATCH } from '../batcher.ts';
import type { Row } from '../database.ts';
import type { DeadlineTimer } from '../deadline.ts';
import { bucketAt } from '../rate-rules.ts';
import { type SettleTools, settle, wantedRows } from '../settle/settle.ts';
import type { Settlement, Submission } from '../submission.ts';
import { PROJECT } from '../tables/project-table.ts';
import type { Connections } from './connections.ts';
import { loadRows, lockProjectRow, readLoaded, saveChanges } from './project-rows.ts';

export interface SettleProjects {
  settle(submission: Submission, timeoutMs?: number): Promise<Settlement>;
  /** Resolves when nothing is in flight any more. */
  idle(): Promise<void>;
}

export interface SettleProjectsParts {
  readonly connections: Connections;
  readonly startTimer: DeadlineTimer;
  /** Resolves when the instance’s secrets are known. */
  readonly tools: () => Promise<SettleTools>;
  readonly batchSettled: (project: string, requests: number) => void;
}

/**
 * A project’s batches take turns at its row in the database. A second batch is sent only so that the database need not
 * wait for this process: when it is large enough to be worth its fixed cost, and when the last one was answered soon.
 * If not, batches of other processes wait for the row too, and more of them would only be smaller. Batches of different
 * projects run in parallel.
 */
export function createSettleProjects(parts: SettleProjectsParts): SettleProjects {
  /** An idle batcher stays in the map, for the reason in `createDeadlineTimer`. */
  const batchers = new Map<string, Batcher<Submission, Settlement>>();
  const settleBatch = batchSettler(parts);

  const batcherOf = (project: string) => {
    let batcher = batchers.get(project);
    if (!batcher) {
      batcher = createBatcher<Submission, Settlement>({
        send: (batch) => settleBatch(project, batch),
        startTimer: parts.startTimer,
        maxSize: MAX_BATCH,
        maxUnderWay: 2,
        another: { minWaiting: 16, maxLastMs: 20 },
        startBatch: sameSecond,
      });
      batchers.set(project, batcher);
    }
    return batcher;
  };

  return {
    settle: (submission, timeoutMs) => batcherOf(submission.projectId).call(submission, timeoutMs),
    async idle() {
      await Promise.all([...batchers.values()].map((batcher) => batcher.idle()));
    },
  };
}

/** A batch is counted at one time. */
function sameSecond(): (submission: Submission) => boolean {
  let second: number | undefined;
  return ({ now }) => {
    second ??= bucketAt(now);
    return bucketAt(now) === second;
  };
}

const MAX_PROJECTS = 10_000;

function batchSettler({ connections, tools, batchSettled }: SettleProjectsParts) {
  /** A project’s settings are read again only when its version has changed. */
  const projects = new Map<string, Project>();

  const attempt = (projectId: string, batch: readonly Submission[], settling: SettleTools) =>
    connections.twoTrips(
      [lockProjectRow(projectId), loadRows(projectId, wantedRows(batch))],
      (rows): { save: ReturnType<typeof saveChanges>[]; result: Attempt } => {
        const [locked, loaded] = rows.map(([row]) => row);
        if (locked === undefined || typeof loaded?.rows !== 'string') return { save: [], result: 'gone' };
        const project = projects.get(projectId);
        if (project === undefined || project.version !== locked.version)
          return { save: [], result: 'unknown-version' };
        const { settlements, changes } = settle({ project, ...readLoaded(loaded.rows) }, batch, settling);
        return { save: [saveChanges(projectId, changes)], result: settlements };
      },
    );

  return async (projectId: string, batch: readonly Submission[]): Promise<readonly Settlement[]> => {
    const settling = await tools();
    for (;;) {
      const result = await attempt(projectId, batch, settling);
      if (result === 'unknown-version') {
        const [row] = await connections.hot(`SELECT ${PROJECT.list} FROM project WHERE id = $1`, [projectId]);
        if (projects.size >= MAX_PROJECTS) projects.clear();
        if (row) projects.set(projectId, PROJECT.fromRow(row as Row));
        continue;
      }
      if (result === 'gone') return batch.map(() => ({ result: 'stale' }));
      batchSettled(projectId, batch.length);
      return result;
    }
  };
}

type Attempt = readonly Settlement[] | 'gone' | 'unknown-version';
