import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { createGatekeeper } from './admission/admission.ts';
import { createPressure } from './admission/limits.ts';
import { builtInChecks } from './checks/built-in-checks.ts';
import type { Checks, RunOptions } from './checks/run-checks.ts';
import type { Config } from './config.ts';
import { addDashboard } from './dashboard-api/dashboard.ts';
import { type CurrentData, type CurrentDataOptions, openCurrentData } from './feeds/current-data.ts';
import { feedsFolder } from './feeds/feed-health.ts';
import { createHealth } from './health.ts';
import { createClientIp, DEFAULT_TRUSTED_PROXIES, parseTrustedProxies } from './http/client-ip.ts';
import { addDocumentRoutes } from './http/routes/documents.ts';
import { addHealthRoutes, type ReadHealth } from './http/routes/health.ts';
import { addKeySetRoute } from './http/routes/keys.ts';
import { addMetricsRoute } from './http/routes/metrics.ts';
import { createServer } from './http/server.ts';
import { createValidate } from './http/validate.ts';
import type { Log } from './log.ts';
import { createMailLookup, type DnsEvent, type MailLookup } from './lookup/dns/mail-lookup.ts';
import { createMailInfrastructure } from './lookup/mail-infrastructure.ts';
import { loadOperatorDatabase } from './lookup/operator-mmdb.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type IpAddress, networkOf } from './model/ip-address.ts';
import { openStore } from './open-store.ts';
import { createKeyedHash } from './record/keyed-hash.ts';
import { createVerdictSigner, makeSigningKey, type VerdictSigner } from './record/verdict.ts';
import type { Store } from './store/store.ts';
import { VERSION } from './version.ts';

export interface Service {
  readonly store: Store;
  readonly health: ReadHealth;
  /** Resolves to the address that requests go to. */
  listen(): Promise<string>;
  /** Stops listening, finishes what was accepted, then lets go of everything. */
  close(): Promise<void>;
}

/** What the checks look things up in, and the checks; the command line’s `check` uses the same. */
export interface CheckParts {
  readonly data: CurrentData;
  readonly mail: MailLookup;
  readonly checks: Checks;
}

export async function openChecks(
  config: Config,
  onDnsEvent: (event: DnsEvent) => void,
  onData: Pick<CurrentDataOptions, 'onSwap' | 'onFault'> = { onSwap: () => {}, onFault: () => {} },
): Promise<CheckParts> {
  const data = await openCurrentData({
    bundledFolder: new URL('./data/', import.meta.url),
    refreshedFolder: feedsFolder(config.dataDir),
    ...onData,
  });
  const mail = createMailLookup({
    servers: config.dnsServers,
    canaries: config.dnsCanaries?.length === 0 ? 'off' : config.dnsCanaries,
    budgetMs: config.dnsBudgetMs,
    onEvent: onDnsEvent,
  });
  const checks = builtInChecks({
    domainList: data.domainList,
    ipRanges: data.ipRanges,
    infrastructure: config.learning ? createMailInfrastructure() : undefined,
    nameServers: config.learning ? mail.nameServers : undefined,
    operatorDatabase:
      config.ipDatabase === undefined ? undefined : await loadOperatorDatabase(config.ipDatabase),
  });
  return { data, mail, checks };
}

/** Wires the stages in the order in which a request walks through them. */
export async function createService(config: Config, log: Log): Promise<Service> {
  const now = Date.now;
  const metrics = createMetrics();
  const [store, parts] = await Promise.all([
    openStore(config),
    openChecks(config, logDnsEvent(log), logData(log)),
  ]);
  const secret = await store.instance.secret('keyed-hash', () => randomBytes(32).toString('base64url'));
  const verdicts = await openVerdicts(store, log);

  const clientIp = createClientIp({
    trustedProxies: trustedProxies(config),
    clientIpHeader: config.clientIpHeader,
  });
  const keyedHash = createKeyedHash(secret);
  const runOptions: RunOptions = {
    // A look-up has its own budget; this is for what goes wrong beside it.
    limitMs: config.dnsBudgetMs + 500,
    stopwatch: () => performance.now(),
    onFault: (check, fault) => {
      metrics.checkFault(check);
      log.error({ check, err: fault }, 'check failed to run; it passes as unknown');
    },
  };
  const validate = createValidate({
    gatekeeper: createGatekeeper({ store, plans: config.plans, now }),
    pressure: createPressure(),
    store,
    reader: { clientIp, mailRoute: parts.mail.route },
    checks: parts.checks,
    runOptions,
    keyedHash,
    verdicts: verdicts.current,
    now,
    onValidated: metrics.validated,
  });

  const health = createHealth({ config, store, mail: parts.mail, data: parts.data, now });
  const server = createServer({ validate, log, metrics, tls: await readTls(config) });
  addHealthRoutes(server, health);
  addMetricsRoute(server, metrics, config.metricsToken);
  addKeySetRoute(server, verdicts.current, now);
  addDocumentRoutes(server, VERSION);
  addDnsMetrics(metrics, parts.mail);
  await addDashboard(server, {
    admin: { store, now, randomBytes, plans: config.plans },
    clientAddress: (peer, headers) => addressKey(clientIp({ peer, headers, keyType: 'client' })) ?? peer,
    publicUrl: config.publicUrl,
    tls: config.tls !== undefined,
    pagesFolder: fileURLToPath(new URL('../../dashboard/dist/', import.meta.url)),
    version: VERSION,
    health,
    checks: parts.checks,
    mailRoute: parts.mail.route,
    runOptions,
    keyedHash,
    log,
  });

  return {
    store,
    health,
    listen: async () => {
      await parts.mail.start();
      return listen(server, config);
    },
    close: async () => {
      await server.close();
      verdicts.close();
      parts.mail.close();
      parts.data.close();
      await store.close();
    },
  };
}

async function listen(server: FastifyInstance, config: Config): Promise<string> {
  try {
    return await server.listen({ host: config.host, port: config.port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const where = `${config.host}:${config.port}`;
    if (code === 'EADDRINUSE')
      throw new Error(`${where} is in use; set POSTERN_PORT to another port`, { cause: error });
    if (code === 'EACCES')
      throw new Error(`${where} needs more rights; set POSTERN_PORT above 1023`, { cause: error });
    if (code === 'EADDRNOTAVAIL')
      throw new Error(`${config.host} is no address of this machine; set POSTERN_HOST`, { cause: error });
    throw error;
  }
}

const SIGNING_KEYS_REREAD_MS = 30_000;

/** The signer, read again now and then: another process may have rotated the keys. */
async function openVerdicts(
  store: Store,
  log: Log,
): Promise<{ current: () => VerdictSigner; close: () => void }> {
  let signer = createVerdictSigner(await store.instance.addSigningKey(makeSigningKey(Date.now()), true));
  const timer = setInterval(() => {
    store.instance.signingKeys().then(
      (keys) => {
        signer = createVerdictSigner(keys);
      },
      (error: unknown) =>
        log.warn({ err: error }, 'could not read the signing keys again; the last ones stay'),
    );
  }, SIGNING_KEYS_REREAD_MS).unref();
  return { current: () => signer, close: () => clearInterval(timer) };
}

/** Whoever has one IPv6 address has its whole network. */
function addressKey(ip: IpAddress | undefined): string | undefined {
  return ip?.version === 6 ? networkOf(ip) : ip?.text;
}

function trustedProxies({ trustedProxies: ranges }: Config) {
  return ranges === undefined ? DEFAULT_TRUSTED_PROXIES : parseTrustedProxies(ranges.join(','));
}

async function readTls({ tls }: Config): Promise<{ cert: Buffer; key: Buffer } | undefined> {
  if (tls === undefined) return undefined;
  const [cert, key] = await Promise.all([readFile(tls.certFile), readFile(tls.keyFile)]);
  return { cert, key };
}

function logDnsEvent(log: Log): (event: DnsEvent) => void {
  return ({ type, ...facts }) => {
    if (type === 'resolver-offline') {
      log.warn(
        facts,
        'DNS is not the internet’s: well-known mail domains do not resolve. Mail checks answer "unknown" and pass; set POSTERN_DNS_SERVERS to a working resolver.',
      );
    } else if (type === 'lookup-failed') log.debug(facts, type);
    else log.info(facts, type);
  };
}

function logData(log: Log): Pick<CurrentDataOptions, 'onSwap' | 'onFault'> {
  return {
    onSwap: (list, version) => log.info({ list, version }, 'refreshed data is in use'),
    onFault: (list, fault) =>
      log.error({ list, err: fault }, 'refreshed data cannot be used; the last good data stays'),
  };
}

function addDnsMetrics(metrics: Metrics, mail: MailLookup): void {
  metrics.gauge('postern_dns_online', '0 while the resolver does not know the well-known providers.', () =>
    mail.health().status === 'offline' ? 0 : 1,
  );
  for (const name of ['hits', 'misses', 'failures', 'queries', 'cachedRoutes'] as const) {
    const metric = name === 'cachedRoutes' ? 'postern_dns_cached_routes' : `postern_dns_${name}`;
    metrics.gauge(metric, `Mail look-ups: ${name}.`, () => mail.stats()[name]);
  }
}
