import { type Store, StoreUnavailable } from '../store.ts';

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database` */
  readonly url: string;
}

export function openPostgresStore(_options: PostgresStoreOptions): Promise<Store> {
  return Promise.reject(new StoreUnavailable('PostgreSQL is not there yet'));
}
