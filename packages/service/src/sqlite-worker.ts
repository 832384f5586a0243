import { parentPort, workerData } from 'node:worker_threads';
import type { Settling } from './store/sqlite/settle-batch.ts';
import { serveSqlite } from './store/sqlite/worker.ts';
import type { WorkerSettings } from './store/sqlite/worker-messages.ts';

const settings = workerData as WorkerSettings;

// The embedded store’s thread. It judges requests where their history is, so it knows the decision as the service does.
async function settling(): Promise<Settling | undefined> {
  if (!settings.settles) return undefined;
  const { judge } = await import('./decision/judge.ts');
  const { settleBatch } = await import('./store/sqlite/settle-batch.ts');
  return (connection) => settleBatch(connection, judge);
}

if (parentPort) serveSqlite(parentPort, settings, await settling());
