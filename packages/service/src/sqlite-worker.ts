import { parentPort, workerData } from 'node:worker_threads';
import { judge } from './decision/judge.ts';
import { serveSqlite } from './store/sqlite/worker.ts';
import type { WorkerSettings } from './store/sqlite/worker-messages.ts';

// The embedded store’s thread. It judges requests where their history is, so it knows the decision as the service does.
if (parentPort) serveSqlite(parentPort, workerData as WorkerSettings, judge);
