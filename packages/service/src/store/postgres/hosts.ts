import pg from 'pg';
import { StoreUnavailable } from '../store.ts';
import type { DatabaseHost, DatabaseTarget } from './database-target.ts';
import { databaseUnavailable, explainConnect } from './explain-failure.ts';

/** The host that new connections go to: the first that works. After a failure the next one is tried. */
export interface Hosts {
  readonly count: number;
  current(): DatabaseHost;
  /** The host could not be reached or is not the primary. */
  failed(host: DatabaseHost): void;
}

export function createHosts({ hosts }: Pick<DatabaseTarget, 'hosts'>): Hosts {
  let index = 0;
  const current = (): DatabaseHost => hosts[index] as DatabaseHost;
  return {
    count: hosts.length,
    current,
    failed(host) {
      // Several connections can fail at once. Only the first moves on.
      if (host === current()) index = (index + 1) % hosts.length;
    },
  };
}

/**
 * A client class for the pool, which creates its clients itself: each connects to the host that is current then. The
 * settings come from the target again, because the pool hides the password in its copy.
 */
export function clientClassFor({ settings }: DatabaseTarget, hosts: Hosts): typeof pg.Client {
  return class HostClient extends pg.Client {
    readonly databaseHost: DatabaseHost;

    constructor(config?: string | pg.ClientConfig) {
      const host = hosts.current();
      const options = typeof config === 'object' ? config : {};
      super({ ...options, ...settings, host: host.host, port: host.port });
      this.databaseHost = host;
      this.on('error', () => {});
    }
  } as typeof pg.Client;
}

/** Refuses a server that cannot be written to, where the URL asks for the primary. */
export async function expectPrimary(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query(
    `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS read_only`,
  );
  if (rows[0]?.read_only === true) throw databaseUnavailable('25006');
}

/** Calls the function for one host after the other until it succeeds for one. */
export async function tryHosts<T>(hosts: Hosts, connect: (host: DatabaseHost) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const host = hosts.current();
    try {
      return await connect(host);
    } catch (error) {
      const reason = explainConnect(error);
      // A pool without a free connection says nothing about the host.
      if (reason.code === 'no-free-connection') throw reason;
      hosts.failed(host);
      if (attempt >= hosts.count) throw hosts.count === 1 ? reason : noneUsable(hosts.count, reason);
    }
  }
}

function noneUsable(count: number, last: StoreUnavailable): StoreUnavailable {
  return new StoreUnavailable(
    `None of the ${count} hosts in POSTERN_DATABASE_URL can be used. The last one: ${last.message}`,
    { code: last.code, lasting: last.lasting, cause: last.cause },
  );
}
