import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { API_ERRORS } from '@postern/contract';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { openStore } from './open-store.ts';
import { readTls } from './read-tls.ts';
import type { AdministeredStore } from './store/administered-store.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * Opens the store. While the tables of a database are changed, which may wait long for a lock, `/healthz` says that the
 * process is alive, so that it is not killed, and everything else is answered 503.
 */
export async function openServingStore(config: Config, log: Log): Promise<AdministeredStore> {
  let alive: Promise<Server | undefined> | undefined;
  const told = new Set<string>();
  const onBlocked = (holder: string) => {
    const who = holder.replace(/ \(.*/, '');
    if (!told.has(who))
      log.warn(`the migration waits for a lock held by ${holder}; trying again until it has it`);
    told.add(who);
  };
  const onBegin = () => {
    log.info('changing the tables of the database');
    alive = answerAlive(config).catch(() => undefined);
  };
  try {
    return await openStore(config, undefined, { onBegin, onBlocked });
  } finally {
    const server = await alive;
    if (server !== undefined) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

async function answerAlive(config: Config): Promise<Server> {
  const answer: RequestListener = ({ url }, response) => {
    const isProbe = url === '/healthz';
    const body = isProbe ? { status: 'alive' } : { error: API_ERRORS.UNAVAILABLE.text };
    response.writeHead(isProbe ? 200 : 503, {
      'Content-Type': 'application/json; charset=utf-8',
      Connection: 'close',
      ...(!isProbe && { 'Retry-After': RETRY_AFTER_SECONDS, 'X-Error-Code': 'UNAVAILABLE' }),
    });
    response.end(JSON.stringify(body));
  };
  const tls = await readTls(config);
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.port, config.host, resolve);
  });
  return server;
}
