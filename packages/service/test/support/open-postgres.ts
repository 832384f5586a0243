import { judge } from '../../src/decision/judge.ts';
import {
  openPostgresStore as open,
  type PostgresStoreOptions,
} from '../../src/store/postgres/postgres-store.ts';

/** As the service opens it. */
export function openPostgresStore(options: Omit<PostgresStoreOptions, 'judge'>) {
  return open({ ...options, judge });
}
