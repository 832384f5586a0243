import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { DAY_MS } from '@postern/contract';
import closeWithGrace from 'close-with-grace';
import { type Config, readConfig, wantsJson } from './config.ts';
import { startAlerts } from './events/alerts.ts';
import { startAuditStream } from './events/audit-stream.ts';
import { createSafeFetch } from './events/safe-fetch/safe-fetch.ts';
import { feedsFolder, readFeedReports } from './feeds/feed-health.ts';
import { recompileImported } from './feeds/feed-refresher.ts';
import { scheduleRefresh } from './feeds/feed-schedule.ts';
import type { RefreshResult } from './feeds/refresh-feeds.ts';
import { createLog, type Log, type LogFault } from './log.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { collectWorkerMetrics } from './metrics/worker-metrics.ts';
import { openServingStore } from './open-serving-store.ts';
import type { Administration } from './operations/administration.ts';
import { type Demo, firstStart } from './operations/first-start.ts';
import { offerSetup } from './operations/links.ts';
import { createService } from './service.ts';
import { createFaultLog } from './service-log.ts';
import { ConfigError, type Environment } from './setting-reader.ts';
import { startFailure } from './start-failure.ts';
import { explainDoubt } from './store/clock.ts';
import { compactInSteps } from './store/compaction-pace.ts';
import type { Store } from './store/store.ts';
import { keepSweeping } from './store/sweep-pace.ts';
import { setupInvitation, setupLink, welcome, welcomeFacts } from './welcome.ts';

const AUDIT_ROWS_PER_STEP = 1_000;
const SHUTDOWN_LIMIT_MS = 15_000;
/**
 * Without it, V8 collects the whole heap when it has grown by a third, unless it grows fast. Under load that is every few
 * seconds, and requests wait tens of milliseconds each time. NODE_OPTIONS does not accept this flag.
 */
const COLLECT_WHEN_TRIPLED = '--heap-growing-percent=200';

/** Reads the settings and runs the service with them. Where JSON was asked for, wrong settings are reported in JSON too. */
export async function serveWith(environment?: Environment): Promise<void> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!wantsJson(environment)) throw error;
    exitWith(createLog({ logLevel: 'info', logFormat: 'json' }), error);
    return;
  }
  await serve(config);
}

/** Runs the service until a signal ends it; with several workers, the primary process runs the background jobs. */
async function serve(config: Config): Promise<void> {
  setFlagsFromString(COLLECT_WHEN_TRIPLED);
  const log = createLog(config);
  if (config.logFormat === 'json') logWarnings(log);
  // It means “read the certificate again” once the service listens. It never ends the service.
  process.on('SIGHUP', () => {});
  for (const name of config.unknownSettings) log.warn({ name }, 'unknown setting; see --help for the list');
  try {
    if (config.workers === 1) await serveAlone(config, log);
    else if (cluster.isPrimary) await runPrimary(config, log);
    else await serveAsWorker(config, log);
  } catch (error) {
    // A worker must end, or the primary process would wait for it; its channel to the primary keeps it alive.
    if (config.logFormat !== 'json' && cluster.isPrimary) throw error;
    exitWith(log, error);
  }
}

/** 1: the service could not start. 2: its settings are wrong. */
function exitWith(log: Log, error: unknown): void {
  const { code } = error as { readonly code?: unknown };
  const facts = error instanceof ConfigError ? { faults: error.faults } : { reason: startFailure(error) };
  log.fatal({ ...(typeof code === 'string' && { code }), ...facts }, 'could not start');
  log.flush(() => process.exit(error instanceof ConfigError ? 2 : 1));
}

/** Node prints its warnings as text. */
function logWarnings(log: Log): void {
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => log.warn({ name, reason: message }, 'Node.js gave a warning'));
}

async function serveAlone(config: Config, log: Log): Promise<void> {
  const service = await createService(config, log);
  const firstStartFacts = await prepareFirstStart(config, service.store);
  const address = await service.listen();
  process.on('SIGHUP', () => service.reload());
  const stopBackgroundJobs = startBackgroundJobs(service.store, config, log, service.metrics);
  // Install the handlers before the ready message: its reader may stop the service immediately.
  closeGracefully(log, async () => {
    stopBackgroundJobs();
    await service.close();
  });
  announce(config, log, address, firstStartFacts);
  const report = await service.health();
  // The resolver logs its own state, and feeds are about to be refreshed.
  for (const name of report.degraded.filter((part) => part !== 'dns' && part !== 'feeds')) {
    log.warn({ part: name }, report.parts[name]?.message ?? 'degraded');
  }
}

async function serveAsWorker(config: Config, log: Log): Promise<void> {
  const service = await createService(config, log);
  const listening = await service.listen();
  process.on('SIGHUP', () => service.reload());
  closeGracefully(log, () => service.close());
  process.send?.({ listening });
}

/** Prepares the store before any worker serves, starts the workers, and replaces workers that die. */
async function runPrimary(config: Config, log: Log): Promise<void> {
  const store = await openServingStore(config, log);
  const firstStartFacts = await prepareFirstStart(config, store);
  const metrics = createMetrics();
  collectWorkerMetrics(metrics.snapshot);
  let closing = false;
  let announced = false;
  let stopBackgroundJobs = () => {};
  for (let number = 0; number < config.workers; number += 1) cluster.fork();
  cluster.on('message', (_worker, message: { listening?: string }) => {
    if (announced || message.listening === undefined) return;
    announced = true;
    // Not before: if no worker can start, its reason is the one that counts.
    stopBackgroundJobs = startBackgroundJobs(store, config, log, metrics);
    announce(config, log, message.listening, firstStartFacts);
  });
  const close = async () => {
    closing = true;
    stopBackgroundJobs();
    await endWorkers();
    await store.close();
  };
  cluster.on('exit', (worker, code, signal) => {
    if (closing) return;
    // No worker has served yet, and this one has logged the reason. Exit, so that the caller notices.
    if (!announced) {
      void close().finally(() => process.exit(1));
      return;
    }
    metrics.count('postern_worker_restarts_total');
    log.error({ pid: worker.process.pid, code, signal }, 'a worker ended; starting another');
    // Otherwise a worker that cannot start would be replaced in a tight loop.
    setTimeout(() => closing || cluster.fork(), 1_000);
  });
  process.on('SIGHUP', () => {
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGHUP');
  });
  closeGracefully(log, close);
}

async function endWorkers(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  await Promise.all(
    workers.map(
      (worker) =>
        new Promise<void>((resolve) => {
          worker.once('exit', () => resolve());
          worker.process.kill('SIGTERM');
        }),
    ),
  );
}

/** What an empty store needs: a demo project and a way to create the first account. */
interface FirstStart {
  readonly demo: Demo | undefined;
  /** `undefined` once there is an account. */
  readonly setupToken: string | undefined;
}

async function prepareFirstStart(config: Config, store: Store): Promise<FirstStart> {
  const { plans } = config;
  const admin: Administration = { store, now: Date.now, randomBytes, plans, actor: 'service' };
  const demo = config.demo ? await firstStart(admin) : undefined;
  return { demo, setupToken: await offerSetup(admin) };
}

function announce(config: Config, log: Log, listening: string, { demo, setupToken }: FirstStart): void {
  const address = config.publicUrl ?? listening;
  log.info(
    { address, store: config.databaseUrl === undefined ? 'embedded' : 'postgresql', workers: config.workers },
    'Postern is ready',
  );
  // Where JSON was asked for, every line is JSON.
  if (config.logFormat === 'json') {
    if (demo !== undefined)
      log.info(welcomeFacts(address, demo), 'a demo project is ready; its keys are shown this once');
    if (setupToken !== undefined)
      log.info(
        { link: setupLink(address, setupToken) },
        'the dashboard has no account yet; this link makes the first one, once, within a day',
      );
    return;
  }
  if (demo !== undefined) process.stdout.write(welcome(address, demo));
  if (setupToken !== undefined) process.stdout.write(setupInvitation(address, setupToken));
}

/** Background jobs that one process runs for all: deleting expired data and refreshing feeds. */
function startBackgroundJobs(store: Store, config: Config, log: Log, metrics: Metrics): () => void {
  const logFault = createFaultLog(log, store);
  const stopSweeping = startSweeping(store, config, log, logFault, metrics);
  const stopAlerts = startAlerts({
    store,
    logFault,
    now: Date.now,
    publicUrl: config.publicUrl,
    staleFeeds: async () => {
      if (config.feeds === 'off') return [];
      const { sources } = await readFeedReports(config.feeds, config.dataDir, Date.now());
      return sources.filter(({ stale, fetchedAt }) => stale && fetchedAt !== null).map(({ name }) => name);
    },
  });
  const stopStream =
    config.auditStream === undefined
      ? () => {}
      : startAuditStream({
          store,
          target: config.auditStream,
          fetch: createSafeFetch({ proxy: config.proxy }),
          logFault,
          log,
          now: Date.now,
        });
  if (config.feeds === 'off') {
    recompileImported(feedsFolder(config.dataDir)).catch((fault: unknown) =>
      log.warn({ err: fault }, 'could not bring imported data up to this release; it stays in use'),
    );
    return () => {
      stopSweeping();
      stopAlerts();
      stopStream();
    };
  }
  const schedule = scheduleRefresh(
    { setting: config.feeds, folder: feedsFolder(config.dataDir), proxy: config.proxy },
    {
      onResult: (result) => {
        const refused = Object.keys(result.refused).length > 0;
        metrics.count('postern_feed_refreshes_total', { result: refused ? 'refused' : 'done' });
        logRefresh(log, result);
      },
      onFault: (fault) => {
        metrics.count('postern_feed_refreshes_total', { result: 'failed' });
        log.warn(
          { err: fault },
          'could not refresh data; the last good data stays in use, trying again later',
        );
      },
      onDamage: (message) => log.warn(message),
    },
  );
  return () => {
    stopSweeping();
    stopAlerts();
    stopStream();
    schedule.stop();
  };
}

function logRefresh(log: Log, { changed, refused, gone, compiled, compileFailed }: RefreshResult): void {
  if (compiled.length > 0) log.info({ compiled, changed }, 'data refreshed');
  for (const [source, reason] of Object.entries(refused))
    log.warn({ source, reason }, 'a feed was refused; its last good data stays in use');
  for (const [source, reason] of Object.entries(gone))
    log.warn({ source, reason }, 'a feed is no longer published; its last good data stays in use');
  for (const [list, reason] of Object.entries(compileFailed))
    log.error({ list, reason }, 'could not compile refreshed data; the last good data stays in use');
}

/** Deletes expired data, then gives unused space back, in small steps that never block requests. */
function startSweeping(
  store: Store,
  config: Config,
  log: Log,
  logFault: LogFault,
  metrics: Metrics,
): () => void {
  let finishedAt = 0;
  metrics.read('postern_sweep_finished_timestamp_seconds', () => finishedAt / 1000);
  const limits = {
    logRetentionMs: config.logRetentionDays * DAY_MS,
    outcomeRetentionMs: config.outcomeRetentionMs,
    logMaxRows: config.logMaxRows,
  };
  let stopped = false;
  let aheadMs = 0;
  metrics.read('postern_clock_ahead_seconds', () => aheadMs / 1000);
  const stop = keepSweeping(store, limits, {
    now: Date.now,
    onFault: (fault) => {
      metrics.count('postern_sweep_failures_total');
      logFault(fault, 'could not delete expired data; trying again later');
    },
    onSwept: (rows) => {
      metrics.count('postern_sweep_rows_total', {}, rows);
      if (rows === 0) finishedAt = Date.now();
    },
    mayDeleteAt: async (at) => {
      const doubt = await store.clock.doubt(at);
      if (doubt !== undefined && aheadMs === 0) log.error(explainDoubt(doubt));
      if (doubt === undefined && aheadMs > 0) log.info('the clock is trusted; deleting expired data again');
      aheadMs = doubt?.aheadMs ?? 0;
      return doubt === undefined;
    },
    between: async (at) => {
      await store.members.tidy(at);
      await tidyAudit(store, config, at);
      await store.clock.trust(at);
      await compactInSteps(store, () => stopped);
    },
  });
  return () => {
    stopped = true;
    stop();
  };
}

/** Chains what another process left, and deletes entries that are too old. */
async function tidyAudit(store: Store, { auditRetentionDays }: Config, now: number): Promise<void> {
  await store.audit.chain();
  if (auditRetentionDays === 0) return;
  await store.audit.deleteBefore(now - auditRetentionDays * DAY_MS, AUDIT_ROWS_PER_STEP, now);
}

function closeGracefully(log: Log, close: () => Promise<void>): void {
  closeWithGrace({ delay: SHUTDOWN_LIMIT_MS, logger: false, skip: ['SIGHUP'] }, async ({ err, signal }) => {
    if (err !== undefined) log.fatal({ err }, 'uncaught error; closing');
    else log.info({ signal }, 'closing');
    await close();
    log.info('closed');
    log.flush();
  });
}
