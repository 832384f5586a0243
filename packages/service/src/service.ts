import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { createGatekeeper } from './admission/admission.ts';
import { createNearLimitTracker } from './admission/limits.ts';
import { builtInChecks } from './checks/built-in-checks.ts';
import { createInspectRequest } from './checks/inspect-request.ts';
import type { Checks, RunOptions } from './checks/run-checks.ts';
import { withSandbox } from './checks/sandbox-address.ts';
import type { Config } from './config.ts';
import { addDashboard } from './dashboard-api/dashboard.ts';
import { dnsOffline } from './events/alerts.ts';
import { type Deliverer, startDeliverer } from './events/deliver-webhooks.ts';
import { createQuotaWatch } from './events/quota-watch.ts';
import { createSafeFetch } from './events/safe-fetch/safe-fetch.ts';
import { createMailSender } from './events/send-mail.ts';
import { type CurrentData, type CurrentDataOptions, openCurrentData } from './feeds/current-data.ts';
import { type FeedReports, feedsFolder, readFeedReports } from './feeds/feed-health.ts';
import { addFeedMetrics } from './feeds/feed-metrics.ts';
import { readFeedSources } from './feeds/feed-source.ts';
import { createHealth, FORGED_EDGE, watchStore } from './health.ts';
import {
  createClientIp,
  createPrivateCallerTest,
  createProxyTrust,
  DEFAULT_TRUSTED_PROXIES,
  parseTrustedProxies,
} from './http/client-ip.ts';
import { createOutcomes } from './http/outcomes.ts';
import { addDisposableListRoute } from './http/routes/disposable-list.ts';
import { addDocumentRoutes } from './http/routes/documents.ts';
import { addHealthRoutes, type ReadHealth } from './http/routes/health.ts';
import { addKeySetRoute } from './http/routes/keys.ts';
import { addMetricsRoute } from './http/routes/metrics.ts';
import { addSdkRoutes } from './http/routes/sdk.ts';
import { createServer } from './http/server.ts';
import { createValidate } from './http/validate.ts';
import type { Log } from './log.ts';
import { createMailLookup, type DnsEvent, type MailLookup } from './lookup/dns/mail-lookup.ts';
import { type DomainDates, loadDomainDates } from './lookup/domain-dates.ts';
import { createMailInfrastructure } from './lookup/mail-infrastructure.ts';
import { loadOperatorDatabase, type OperatorDatabase } from './lookup/operator-mmdb.ts';
import { createActivityTracker } from './lookup/recent-activity.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createCidrSet, parseCidr } from './model/cidr.ts';
import { type IpAddress, networkOf } from './model/ip-address.ts';
import { HOUR_MS } from './model/windows.ts';
import { openStore } from './open-store.ts';
import { readTls } from './read-tls.ts';
import { createKeyedHash } from './record/keyed-hash.ts';
import { openVerdictKeys } from './record/verdict-keys.ts';
import type { Store } from './store/store.ts';
import { VERSION } from './version.ts';

export interface Service {
  readonly store: Store;
  readonly health: ReadHealth;
  /** Resolves to the address that requests go to. */
  listen(): Promise<string>;
  /** Stops listening, finishes accepted requests, then releases all resources. */
  close(): Promise<void>;
}

/** The checks and their data. The `check` command of the CLI uses the same. */
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
    operatorDatabase: await openOperatorDatabase(config),
    registeredOn: await openDomainDates(config),
  });
  return { data, mail, checks };
}

async function openOperatorDatabase({ ipDatabase }: Config): Promise<OperatorDatabase | undefined> {
  if (ipDatabase === undefined) return undefined;
  try {
    return await loadOperatorDatabase(ipDatabase);
  } catch (cause) {
    throw new Error(`POSTERN_IP_DATABASE: ${ipDatabase} cannot be used`, { cause });
  }
}

async function openDomainDates({ domainDates }: Config): Promise<DomainDates | undefined> {
  if (domainDates === undefined) return undefined;
  try {
    return await loadDomainDates(domainDates);
  } catch (cause) {
    throw new Error(`POSTERN_DOMAIN_DATES: ${domainDates} cannot be used`, { cause });
  }
}

/** Wires the stages in the order in which a request passes through them. */
export async function createService(config: Config, log: Log): Promise<Service> {
  const now = Date.now;
  const metrics = createMetrics();
  const [store, parts] = await Promise.all([
    openStore(config),
    openChecks(config, (event) => onDnsEvent(event), logData(log)),
  ]);
  const onDnsEvent = (event: DnsEvent) => {
    logDnsEvent(log)(event);
    if (event.type === 'resolver-offline')
      dnsOffline(store, now()).catch((fault: unknown) =>
        log.warn({ err: fault }, 'could not write a dns.offline event'),
      );
  };
  const watched = watchStore(store);
  await warnOfUnknownPlans(store, config, log);
  await readFeedSources(config.feeds);
  const secret = await store.instance.secret('keyed-hash', () => randomBytes(32).toString('base64url'));
  const verdictKeys = await openVerdictKeys(store.instance, now, (fault) =>
    log.warn({ err: fault }, 'could not reload the signing keys; keeping the current ones'),
  );

  const proxies = trustedProxies(config);
  let edgeForged = false;
  const clientIp = createClientIp({
    trustedProxies: proxies,
    clientIpHeader: config.clientIpHeader,
    onForgedEdge: () => {
      edgeForged = true;
      log.warn(FORGED_EDGE);
    },
  });
  const lastHop = createClientIp({ trustedProxies: proxies, clientIpHeader: undefined });
  const keyedHash = createKeyedHash(secret);
  const activity = createActivityTracker((value) => keyedHash('activity', value));
  const forgetting = setInterval(() => activity.forget(now()), HOUR_MS).unref();
  const runOptions: RunOptions = {
    // A look-up has its own budget. This limit covers everything else that can hang.
    limitMs: config.dnsBudgetMs + 500,
    stopwatch: () => performance.now(),
    onFault: (check, fault) => {
      metrics.checkFault(check);
      log.error({ check, err: fault }, 'check failed to run; it passes as unknown');
    },
  };
  const noteQuota = createQuotaWatch(store.events, (fault) =>
    log.warn({ err: fault }, 'could not write a quota.reached event; trying again with a later request'),
  );
  const settle: Store['settle'] = async (submission, timeoutMs) => {
    const settlement = await watched.settle(submission, timeoutMs);
    noteQuota(submission, settlement);
    return settlement;
  };
  const gatekeeper = createGatekeeper({ store, plans: config.plans, now });
  const validate = createValidate({
    gatekeeper,
    nearLimit: createNearLimitTracker(),
    store: { settle, refund: watched.refund },
    reader: { clientIp, checks: parts.checks, activity, mailRoute: parts.mail.route },
    answers: store.answers,
    randomBytes,
    checks: parts.checks,
    inspect: withSandbox(createInspectRequest(parts.checks, runOptions)),
    stopwatch: runOptions.stopwatch,
    keyedHash,
    verdicts: verdictKeys.signer,
    now,
    onValidated: metrics.validated,
    onRefused: metrics.refused,
    onQuotaRefused: (projectId, at) =>
      store.log
        .countRefusal(projectId, at, 'quota-exceeded')
        .catch((error: unknown) => log.warn({ err: error }, 'could not count a refusal in the statistics')),
  });

  const health = createHealth({
    config,
    store: watched,
    mail: parts.mail,
    data: parts.data,
    now,
    edgeForged: () => edgeForged,
    onStoreFault: (reason) => log.warn({ reason }, 'the store cannot be used'),
  });
  const outcomes = createOutcomes({
    gatekeeper,
    store: { settle, outcomes: store.outcomes, log: store.log },
    keyedHash,
    now,
    onRecorded: metrics.outcomesRecorded,
  });
  const server = createServer({
    validate,
    outcomes,
    log,
    metrics,
    tls: await readTls(config),
    fastPath: config.fastPath,
  });
  addHealthRoutes(server, health);
  addMetricsRoute(server, metrics, {
    token: config.metricsToken,
    isPrivateCaller: createPrivateCallerTest(config.clientIpHeader),
    onOutsider: once(() => log.warn('/metrics was refused to a public address; set POSTERN_METRICS_TOKEN')),
  });
  addKeySetRoute(server, verdictKeys, now);
  addDisposableListRoute(server, parts.data.domainList, verdictKeys, now);
  await addSdkRoutes(server, new URL('./sdk/', import.meta.url), log);
  addDocumentRoutes(server, VERSION);
  addWebhookMetrics(metrics, store, now);
  addDnsMetrics(metrics, parts.mail);
  addDataMetrics(metrics, parts.data, () => readFeedReports(config.feeds, config.dataDir, now()));
  await addDashboard(server, {
    admin: { store, now, randomBytes, plans: config.plans },
    clientAddress: (peer, headers) => addressKey(clientIp({ peer, headers, keyType: 'client' })) ?? peer,
    connectionAddress: (peer, headers) => addressKey(lastHop({ peer, headers, keyType: 'client' })) ?? peer,
    trustsPeer: createProxyTrust(proxies),
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

  let deliverer: Deliverer | undefined;
  const { smtp } = config;
  const mail = smtp && createMailSender({ smtpUrl: smtp.url, from: smtp.from });
  return {
    store,
    health,
    listen: async () => {
      await parts.mail.start();
      const address = await listen(server, config);
      deliverer = startDeliverer({
        store,
        fetch: createSafeFetch({ allow: webhookRanges(config) }),
        mail,
        log,
        now,
        random: Math.random,
        version: VERSION,
        onAttempt: metrics.webhookAttempt,
      });
      return address;
    },
    close: async () => {
      clearInterval(forgetting);
      await server.close();
      await deliverer?.close();
      mail?.close();
      verdictKeys.close();
      parts.mail.close();
      parts.data.close();
      await store.close();
    },
  };
}

/** Calls the function the first time only. */
function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
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
      throw new Error(`${config.host} is not an address of this machine; set POSTERN_HOST`, { cause: error });
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new Error(`${config.host} cannot be resolved; set POSTERN_HOST to an address of this machine`, {
        cause: error,
      });
    throw error;
  }
}

/** A client with one IPv6 address controls its whole /64. */
function addressKey(ip: IpAddress | undefined): string | undefined {
  return ip?.version === 6 ? networkOf(ip) : ip?.text;
}

function webhookRanges({ webhookAllow }: Config) {
  return createCidrSet(webhookAllow.flatMap((range) => parseCidr(range) ?? []));
}

function trustedProxies({ trustedProxies: ranges }: Config) {
  return ranges === undefined ? DEFAULT_TRUSTED_PROXIES : parseTrustedProxies(ranges.join(','));
}

/** A project whose plan is no longer configured has no quota at all, so the operator is warned. */
async function warnOfUnknownPlans(store: Store, { plans }: Config, log: Log): Promise<void> {
  const affected = (await store.projects.list()).filter(
    ({ plan, quotaLimit, archivedAt }) => quotaLimit === null && archivedAt === null && !plans.has(plan),
  );
  for (const { id, plan } of affected) {
    log.warn(
      { project: id, plan },
      'POSTERN_PLANS has no such plan, so this project answers 402; name the plan or move the project',
    );
  }
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
      log.error({ list, err: fault }, 'refreshed data cannot be used; the last good data stays in use'),
  };
}

function addWebhookMetrics(metrics: Metrics, store: Store, now: () => number): void {
  metrics.gauges('postern_webhook_backlog', 'Deliveries that wait.', [], async () => [
    [{}, (await store.events.deliveries.backlog()).pending],
  ]);
  metrics.gauges(
    'postern_webhook_backlog_seconds',
    'Age of the oldest delivery that waits.',
    [],
    async () => {
      const { oldestAt } = await store.events.deliveries.backlog();
      return [[{}, oldestAt === null ? 0 : (now() - oldestAt) / 1000]];
    },
  );
}

function addDnsMetrics(metrics: Metrics, mail: MailLookup): void {
  metrics.gauge(
    'postern_dns_online',
    '0 while the resolver does not know the well-known providers.',
    () => (mail.health().status === 'offline' ? 0 : 1),
    'min',
  );
  for (const name of ['hits', 'misses', 'failures', 'queries', 'waiting', 'cachedRoutes'] as const) {
    const metric = name === 'cachedRoutes' ? 'postern_dns_cached_routes' : `postern_dns_${name}`;
    metrics.gauge(metric, `Mail look-ups: ${name}.`, () => mail.stats()[name]);
  }
}

/** The age of the data in use. */
function addDataMetrics(metrics: Metrics, data: CurrentData, readFeeds: () => Promise<FeedReports>): void {
  metrics.gauges(
    'postern_data_info',
    'The data in use: 1 for each list’s version and where it came from.',
    ['list', 'version', 'origin'],
    () => {
      const { domains, networks } = data.origins();
      return [
        [{ list: 'domains', version: data.domainList().version, origin: domains }, 1],
        [{ list: 'networks', version: data.ipRanges().version, origin: networks }, 1],
      ];
    },
  );
  addFeedMetrics(metrics, readFeeds);
}
