import type { AdministeredStore } from '../administered-store.ts';
import { authDatabase } from '../auth-database.ts';
import { patience, withDeadline } from '../deadline.ts';
import { toMessage, toSettlement } from '../submission-message.ts';
import { sweeping } from '../sweep.ts';
import { auditTable } from '../tables/audit-table.ts';
import { instanceTable } from '../tables/instance-table.ts';
import { keyTable } from '../tables/key-table.ts';
import { logTable } from '../tables/log-table.ts';
import { peopleTable } from '../tables/people-table.ts';
import { projectTable } from '../tables/project-table.ts';
import { refund } from '../tables/quota-table.ts';
import { timedIds } from '../timed-id.ts';
import { createBatchReversal } from './batch-reversal.ts';
import { openConnections } from './connections.ts';
import { keyFinder } from './key-finder.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { dashboardSchema } from './migrations/dashboard-schema.ts';
import { postgresSchema } from './migrations/postgres-schema.ts';
import { postgresAdministration } from './postgres-administration.ts';
import { postgresErasure } from './postgres-erasure.ts';
import { postgresMemory } from './postgres-memory.ts';
import { byIndex, postgresSweep } from './postgres-sweep.ts';
import { settleCall } from './settle-call.ts';
import { settleLanes } from './settle-lanes.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
  /** Connections that requests share; the tables and the dashboard use six more. */
  readonly connections?: number;
}

/** The store for more than one machine. Any number of processes may open the same database. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<AdministeredStore> {
  await migratePostgres(options.url, postgresSchema);
  await migratePostgres(options.url, dashboardSchema);
  const connections = openConnections({ url: options.url, connections: options.connections ?? 8 });
  const { database } = connections;
  const swept = byIndex(database);
  const timedId = timedIds();
  const find = keyFinder(connections);
  const patient = patience();
  const withdrawn = createBatchReversal(connections);
  const lanes = settleLanes(settleCall(connections), withdrawn);

  return {
    findKey: (hash, patienceMs) => withDeadline(patient, patienceMs, find(hash)),
    async settle(submission, patienceMs) {
      const message = toMessage(submission, timedId);
      return toSettlement(await lanes.settle(message, patienceMs), message);
    },
    refund: (projectId, month) => refund(database, projectId, month),
    projects: projectTable(database),
    keys: keyTable(database),
    log: logTable(database, 'strpos'),
    memory: postgresMemory(database),
    erasure: postgresErasure(database),
    instance: instanceTable(database),
    audit: auditTable(database, timedId),
    people: peopleTable(database),
    auth: authDatabase(database, 'postgres'),
    async ping() {
      await withDeadline(patient, undefined, connections.hot('SELECT 1', []));
    },
    sweep: sweeping(swept, postgresSweep(swept)),
    ...postgresAdministration(options.url, connections),
    async close() {
      await lanes.idle();
      await withdrawn.close();
      await connections.close();
    },
  };
}
