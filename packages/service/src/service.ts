import { randomBytes } from 'node:crypto';
import type { Server as TlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { HOUR_MS } from '@postern/contract';
import { createGatekeeper } from './admission/admission.ts';
import { createNearLimitTracker } from './admission/limits.ts';
import { createInspectRequest } from './checks/inspect-request.ts';
import type { RunOptions } from './checks/run-checks.ts';
import { withSandbox } from './checks/sandbox-address.ts';
import type { Config } from './config.ts';
import { addDashboard } from './dashboard-api/dashboard.ts';
import { decorateStore } from './decorate-store.ts';
import { dnsOffline } from './events/alerts.ts';
import { type Deliverer, startDeliverer } from './events/deliver-webhooks.ts';
import { leadsToReserved } from './events/safe-fetch/reachable-addresses.ts';
import { createSafeFetch } from './events/safe-fetch/safe-fetch.ts';
import { createMailSender } from './events/send-mail.ts';
import { readFeedReports } from './feeds/feed-health.ts';
import { readFeedSources } from './feeds/feed-source.ts';
import { createHealth } from './health.ts';
import { createClaims } from './http/answer-claims.ts';
import { createHooks } from './http/answer-hook.ts';
import {
  createClientIp,
  createPrivateCallerTest,
  createProxyTrust,
  DEFAULT_TRUSTED_PROXIES,
  parseTrustedProxies,
} from './http/client-ip.ts';
import { createOutcomes } from './http/report-outcomes.ts';
import { requestIdOf } from './http/request-id.ts';
import { addDisposableListRoute } from './http/routes/disposable-list.ts';
import { addDocumentRoutes, addSecurityText } from './http/routes/documents.ts';
import { addHealthRoutes, type ReadHealth } from './http/routes/health-probes.ts';
import { addKeySetRoute } from './http/routes/key-set.ts';
import { addMetricsRoute } from './http/routes/metrics.ts';
import { addSdkRoutes } from './http/routes/sdk.ts';
import { createServer } from './http/server.ts';
import { createPageReports } from './http/take-page-report.ts';
import { createValidate } from './http/validate.ts';
import { listen } from './listen.ts';
import type { Log } from './log.ts';
import { createActivityTracker } from './lookup/activity-tracker.ts';
import { createKeyDirectories } from './lookup/agents/key-directory.ts';
import { createVerifyAgent } from './lookup/agents/verify-agent.ts';
import type { DnsEvent } from './lookup/dns/mail-lookup.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { FORGED_CLOUDFLARE_HEADER } from './model/edge-networks.ts';
import { type IpAddress, networkOf } from './model/ip-address.ts';
import { createKeyedHash } from './model/keyed-hash.ts';
import { checkLimitMs, openChecks } from './open-checks.ts';
import { openServingStore } from './open-serving-store.ts';
import { openStepUp } from './open-step-up.ts';
import { createDomainOutcomes } from './outcomes/domain-outcomes.ts';
import { fetchDirectory, webhookRanges } from './outgoing.ts';
import { readTls, reloadTls } from './read-tls.ts';
import { createDomainSightings } from './record/domain-sightings.ts';
import { openVerdictKeys } from './record/verdict-keys.ts';
import { createPageSeal, createVerdictPageReader } from './record/verdict-page.ts';
import { feedDataLogger, logDnsEvent, resourceLogger, warnOfUnknownPlans } from './service-log.ts';
import { addServiceMetrics } from './service-metrics.ts';
import { countAnswerTimes } from './store/statistics/answer-times.ts';
import type { Store } from './store/store.ts';
import { hashSecret } from './store/tables/instance-table.ts';
import { COMMIT, VERSION } from './version.ts';
import { maxConnections, watchResources } from './watch-resources.ts';

export interface Service {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly health: ReadHealth;
  /** Resolves to the address that requests go to. */
  listen(): Promise<string>;
  /** Reads the TLS certificate again, as on SIGHUP. */
  reload(): void;
  /** Stops listening, finishes accepted requests, then releases all resources. */
  close(): Promise<void>;
}

/** Wires the stages in the order in which a request passes through them. */
export async function createService(config: Config, log: Log): Promise<Service> {
  const now = Date.now;
  const metrics = createMetrics();
  const [store, parts] = await Promise.all([
    openServingStore(config, log),
    openChecks(config, (event) => onDnsEvent(event), feedDataLogger(log)),
  ]);
  const resources = watchResources(now, resourceLogger(log));
  const onShortage = (code: string) => {
    metrics.count('postern_resource_shortages_total', { code });
    resources.note(code);
  };
  // DNS starts in `listen()`, after these are set.
  const onDnsEvent = (event: DnsEvent) => {
    logDnsEvent(log)(event);
    if (event.type === 'no-resources') onShortage(event.code);
    if (event.type === 'resolver-offline')
      dnsOffline(store, now()).catch((fault) => logFault(fault, 'could not write a dns.offline event'));
  };
  const { forRequests, watched, logFault } = decorateStore(store, { log, metrics });
  await warnOfUnknownPlans(store, config, log);
  await readFeedSources(config.feeds);
  const secret = await hashSecret(store.instance);
  const verdictKeys = await openVerdictKeys(
    { store: store.instance, shared: config.signingKeys },
    now,
    (fault) => {
      metrics.count('postern_verdict_key_reload_failures_total');
      logFault(fault, 'could not reload the signing keys; keeping the current ones');
    },
  );

  const proxies = trustedProxies(config);
  const clientIp = createClientIp({
    trustedProxies: proxies,
    clientIpHeader: config.clientIpHeader,
    onForgedCfHeader: () => log.warn(FORGED_CLOUDFLARE_HEADER),
  });
  const connectionIp = createClientIp({ trustedProxies: proxies, clientIpHeader: undefined });
  const keyedHash = createKeyedHash(secret);
  const domainOutcomes = createDomainOutcomes({
    store,
    now,
    onFault: (fault) => logFault(fault, 'could not read the outcomes of a project’s domains'),
  });
  const newDomain = createDomainSightings({
    store,
    now,
    onFault: (fault) => logFault(fault, 'could not read which domains a project knows'),
  });
  const activity = createActivityTracker(undefined, { badDomain: domainOutcomes.of, newDomain });
  const activityCleanup = setInterval(() => activity.forget(now()), HOUR_MS).unref();
  const runOptions: RunOptions = {
    limitMs: checkLimitMs(config),
    stopwatch: () => performance.now(),
    onFault: (check, fault) => {
      metrics.count('postern_check_faults_total', { check });
      log.error({ check, err: fault }, 'check failed to run; it passes as unknown');
    },
  };
  const nearLimit = createNearLimitTracker();
  const gatekeeper = createGatekeeper({ store: forRequests, plans: config.plans, now });
  const inFlight = { count: 0 };
  const answerTimes = countAnswerTimes({
    write: store.log.countAnswerTimes,
    onFault: (fault) => logFault(fault, 'could not count answer times and open hooks in the statistics'),
  });
  const pageSeal = createPageSeal(secret);
  const mailSender = config.smtp && createMailSender(config.smtp);
  const stepUp = openStepUp({
    gatekeeper,
    store,
    counting: forRequests,
    nearLimit,
    clientIp,
    keyedHash,
    secret,
    mail: mailSender,
    fetch: createSafeFetch({ proxy: config.proxy }),
    vendorUrl: config.vendorUrl,
    verdicts: verdictKeys.signer,
    now,
    logFault,
    metrics,
  });
  const validate = createValidate({
    gatekeeper,
    nearLimit,
    store: forRequests,
    reader: { clientIp, checks: parts.checks, activity, mailRoute: parts.mail.route },
    answers: store.answers,
    log: store.log,
    underWay: new Map(),
    randomBytes,
    checks: parts.checks,
    verifyAgent: createVerifyAgent({
      operators: config.agentOperators,
      authority: config.publicUrl && new URL(config.publicUrl).host,
      directories: createKeyDirectories(fetchDirectory(config), now),
      now,
      onAgent: (result) => metrics.count('postern_agents_total', { result }),
    }),
    inspect: withSandbox(createInspectRequest(parts.checks, runOptions)),
    stopwatch: runOptions.stopwatch,
    keyedHash,
    network: parts.network,
    onRuleFault: () => metrics.count('postern_rule_faults_total'),
    verdicts: () => {
      metrics.verdictSigned();
      return verdictKeys.signer();
    },
    pageSeal,
    challenges: stepUp.challenges,
    now,
    onValidated: metrics.validated,
    onAnswered: answerTimes.answered,
    onRefused: metrics.refused,
    onUnavailable: metrics.unavailable,
    inFlight,
    onQuotaRefused: (projectId, at) =>
      store.log
        .countRefusal(projectId, at, 'quota-exceeded')
        .catch((fault) => logFault(fault, 'could not count a refusal in the statistics')),
  });

  const health = createHealth({
    config,
    store: watched,
    clock: store.clock,
    audit: store.audit,
    mail: parts.mail,
    data: parts.data,
    resources,
    now,
  });
  const outcomes = createOutcomes({
    gatekeeper,
    nearLimit,
    store: { ...forRequests, outcomes: store.outcomes },
    keyedHash,
    now,
    outcomeRetentionMs: config.outcomeRetentionMs,
    onRecorded: (projectId, recorded, unknown) => {
      if (recorded > 0) domainOutcomes.renew(projectId);
      metrics.count('postern_outcomes_total', { result: 'recorded' }, recorded);
      metrics.count('postern_outcomes_total', { result: 'unknown' }, unknown);
    },
  });
  const claims = createClaims({
    gatekeeper,
    nearLimit,
    store: {
      ...forRequests,
      ...{ claims: store.claims, memory: store.memory, campaigns: store.campaigns, commit: store.commit },
    },
    keyedHash,
    now,
    mailRoute: parts.mail.route,
    onClaimed: (granted) =>
      metrics.count('postern_claims_total', { result: granted ? 'granted' : 'refused' }),
  });
  const hooks = createHooks({
    gatekeeper,
    validate,
    readVerdictPage: createVerdictPageReader(pageSeal, verdictKeys.signer, now),
    now,
    log,
    onAnswered: (format, result) => metrics.count('postern_hook_answers_total', { format, result }),
    onOpened: ({ id, projectId }, reason) => {
      metrics.count('postern_hook_open_total', { reason });
      if (projectId !== undefined) answerTimes.opened(projectId, now(), id, reason);
    },
  });
  const tls = await readTls(config);
  let deliverer: Deliverer | undefined;
  const server = createServer({
    validate,
    outcomes,
    hooks: hooks.answer,
    claims,
    challenge: stepUp.answer,
    pageReport: createPageReports({ gatekeeper, projects: store.projects, now }),
    log,
    metrics,
    tls,
    fastPath: config.fastPath,
    maxConnections: maxConnections(),
    onAnswered: () => deliverer?.wake(),
    onConnectionRefused: () => {
      metrics.count('postern_connections_refused_total');
      resources.connectionRefused();
    },
    onShortage,
  });
  const certificate = reloadTls(config, tls, {
    use: (files) => (server.server as unknown as TlsServer).setSecureContext(files),
    onReloaded: () => log.info('the TLS certificate was reloaded'),
    onFault: (reason) =>
      log.error({ reason }, 'the TLS certificate cannot be reloaded; the current one stays in use'),
  });
  addHealthRoutes(server, health, { version: VERSION, commit: COMMIT });
  addMetricsRoute(server, metrics, {
    token: config.metricsToken,
    isPrivateCaller: createPrivateCallerTest(config.clientIpHeader),
    onPublicCaller: once(() =>
      log.warn(
        '/metrics was refused to a public address or for a public host name; set POSTERN_METRICS_TOKEN',
      ),
    ),
  });
  addKeySetRoute(server, { verdictKeys, projects: store.projects, now });
  addDisposableListRoute(server, parts.data.domainList, verdictKeys, now);
  await addSdkRoutes(server, {
    folder: new URL('./sdk/', import.meta.url),
    store: store.sdkFiles,
    publicUrl: config.publicUrl,
    log,
    now,
  });
  addDocumentRoutes(server, VERSION, fileURLToPath(new URL('./docs/', import.meta.url)));
  addSecurityText(server, config.securityContact, now);
  addServiceMetrics(metrics, {
    ...parts,
    store,
    watched,
    verdictKeys,
    inFlight,
    readFeeds: () => readFeedReports(config.feeds, config.dataDir, now()),
    streamsAudit: config.auditStream !== undefined,
    now,
  });
  await addDashboard(server, {
    admin: { store, now, randomBytes, plans: config.plans, sendsMail: mailSender !== undefined },
    clientAddress: (peer, headers) => addressKey(clientIp({ peer, headers, keyType: 'client' })) ?? peer,
    connectionAddress: (peer, headers) =>
      addressKey(connectionIp({ peer, headers, keyType: 'client' })) ?? peer,
    trustsPeer: createProxyTrust(proxies),
    settings: config,
    isRefusedTarget: (url) => leadsToReserved(url, webhookRanges(config)),
    testHook: (hook) => hooks.test(requestIdOf(undefined), hook),
    publicUrl: config.publicUrl,
    adminLink: config.adminLink,
    logRetentionDays: config.logRetentionDays,
    outcomeRetentionMs: config.outcomeRetentionMs,
    tls: config.tls !== undefined,
    pagesFolder: fileURLToPath(new URL('../../dashboard/dist/', import.meta.url)),
    version: VERSION,
    health,
    checks: parts.checks,
    network: parts.network,
    domainList: parts.data.domainList,
    mailRoute: parts.mail.route,
    company: config.company && { ...config.company, proxy: config.proxy },
    passwords: config.passwords,
    accountMail: { sender: mailSender, publicUrl: config.publicUrl },
    runOptions,
    keyedHash,
    log,
  });

  return {
    store,
    metrics,
    health,
    listen: async () => {
      await parts.mail.start();
      const address = await listen(server, config);
      deliverer = startDeliverer({
        store,
        fetch: createSafeFetch({ allow: webhookRanges(config), proxy: config.proxy }),
        mail: mailSender,
        publicUrl: config.publicUrl,
        log,
        logFault,
        now,
        random: Math.random,
        version: VERSION,
        onAttempt: (result) => metrics.count('postern_webhook_attempts_total', { result }),
      });
      return address;
    },
    reload: certificate.reload,
    close: async () => {
      clearInterval(activityCleanup);
      certificate.close();
      await server.close();
      await answerTimes.flush();
      await deliverer?.close();
      mailSender?.close();
      verdictKeys.close();
      parts.mail.close();
      parts.data.close();
      watched.close();
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

/** A rented server often has a whole /48. Neighbours who share one are kept out of no account: those have limits of their own. */
function addressKey(ip: IpAddress | undefined): string | undefined {
  return ip?.version === 6 ? networkOf(ip) : ip?.text;
}

function trustedProxies({ trustedProxies: ranges }: Config) {
  return ranges === undefined ? DEFAULT_TRUSTED_PROXIES : parseTrustedProxies(ranges.join(','));
}
