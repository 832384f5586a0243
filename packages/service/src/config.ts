import { resolve } from 'node:path';
import { DAY_MS, MAX_LIFETIME_DAYS } from '@postern/contract';
import type { OutgoingProxy } from './events/safe-fetch/outgoing-proxy.ts';
import { parseCidr } from './model/cidr.ts';
import { parseRoleRule, type RoleRule } from './model/company-roles.ts';
import { parseDnsServerAddress } from './model/dns-server-address.ts';
import { type Environment, optional, SettingReader } from './setting-reader.ts';
import { LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel, type Setting } from './settings.ts';

/** The service’s settings, read once from the environment and frozen. Only this file reads the environment. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** `undefined` means the embedded store. */
  readonly databaseUrl: string | undefined;
  /** `undefined` means the system’s resolvers. */
  readonly dnsServers: readonly string[] | undefined;
  /** `undefined` means the built-in ones. Empty means off. */
  readonly dnsCanaries: readonly string[] | undefined;
  readonly dnsBudgetMs: number;
  /** `undefined` means loopback and private ranges. */
  readonly trustedProxies: readonly string[] | undefined;
  readonly clientIpHeader: string;
  readonly workers: number;
  readonly demo: boolean;
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** Plan name to validations per month. New projects get the first plan. */
  readonly plans: ReadonlyMap<string, number>;
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly logRetentionDays: number;
  readonly logMaxRows: number;
  /** 0 means for ever. */
  readonly auditRetentionDays: number;
  /** Where audit entries are sent too. */
  readonly auditStream: string | undefined;
  readonly outcomeRetentionMs: number;
  /** `off`, `on`, or the file that lists the sources. */
  readonly feeds: string;
  readonly learning: boolean;
  readonly ipDatabase: string | undefined;
  readonly domainDates: string | undefined;
  readonly metricsToken: string | undefined;
  /** The file of signing keys that several installations share. `undefined` means the store’s. */
  readonly signingKeys: string | undefined;
  /** The mail server. `undefined` means that no mail is sent. */
  /** Asked about CAPTCHA tokens instead of the vendors. */
  readonly vendorUrl: string | undefined;
  readonly smtp: { readonly url: string; readonly from: string } | undefined;
  /** The company’s sign-in. `undefined` means that there is none. */
  readonly company:
    | {
        readonly issuer: string;
        readonly clientId: string;
        readonly clientSecret: string;
        readonly scopes: string;
        readonly name: string;
        readonly roles: readonly RoleRule[];
      }
    | undefined;
  /** Whether people sign in with passwords. */
  readonly passwords: boolean;
  /** Private ranges that webhooks are allowed to reach. */
  readonly webhookAllow: readonly string[];
  /** Who may sign requests of agents. */
  readonly agentOperators: readonly string[];
  readonly proxy: OutgoingProxy | undefined;
  readonly fastPath: boolean;
  /** The public address of the service, for links. `undefined` means host and port. */
  readonly publicUrl: string | undefined;
  /** Where weaknesses are reported. */
  readonly securityContact: string | undefined;
  /** With `{requestId}` in it. */
  readonly adminLink: string | undefined;
  /** Variables that look like settings but are not. */
  readonly unknownSettings: readonly string[];
}

/** Whether everything must be printed as JSON. It can be known even if other settings are wrong. */
export function wantsJson(environment: Environment = process.env): boolean {
  return environment.POSTERN_LOG_FORMAT === 'json';
}

export function readConfig(environment: Environment = process.env): Config {
  const reader = new ConfigReader(environment);
  const certFile = reader.text('POSTERN_TLS_CERT');
  const keyFile = reader.text('POSTERN_TLS_KEY');
  if ((certFile === '') !== (keyFile === '')) {
    reader.fault(
      certFile === '' ? 'POSTERN_TLS_CERT' : 'POSTERN_TLS_KEY',
      'is needed too: certificate and key go together',
    );
  }
  const config: Config = {
    host: reader.text('POSTERN_HOST'),
    port: reader.integer('POSTERN_PORT', 0, 65_535),
    dataDir: resolve(reader.text('POSTERN_DATA_DIR')),
    databaseUrl: reader.databaseUrl(),
    dnsServers: reader.dnsServers(),
    dnsCanaries: reader.canaries(),
    dnsBudgetMs: reader.integer('POSTERN_DNS_BUDGET_MS', 50, 30_000),
    trustedProxies: reader.proxies(),
    clientIpHeader: reader.headerName('POSTERN_CLIENT_IP_HEADER'),
    workers: reader.integer('POSTERN_WORKERS', 1, 256),
    demo: reader.toggle('POSTERN_DEMO'),
    tls: certFile === '' || keyFile === '' ? undefined : { certFile, keyFile },
    plans: reader.plans(),
    logLevel: reader.choice('POSTERN_LOG_LEVEL', LOG_LEVELS),
    logFormat: reader.choice('POSTERN_LOG_FORMAT', LOG_FORMATS),
    logRetentionDays: reader.integer('POSTERN_LOG_RETENTION_DAYS', 1, MAX_LIFETIME_DAYS),
    auditRetentionDays: reader.integer('POSTERN_AUDIT_RETENTION_DAYS', 0, 100_000),
    auditStream: reader.auditStream(),
    logMaxRows: reader.integer('POSTERN_LOG_MAX_ROWS', 0, 1_000_000_000),
    outcomeRetentionMs: reader.integer('POSTERN_OUTCOME_RETENTION_DAYS', 1, MAX_LIFETIME_DAYS) * DAY_MS,
    feeds: reader.text('POSTERN_FEEDS'),
    learning: reader.toggle('POSTERN_LEARNING'),
    ipDatabase: optional(reader.text('POSTERN_IP_DATABASE')),
    domainDates: optional(reader.text('POSTERN_DOMAIN_DATES')),
    metricsToken: optional(reader.text('POSTERN_METRICS_TOKEN')),
    signingKeys: optional(reader.text('POSTERN_SIGNING_KEYS')),
    vendorUrl: reader.vendorUrl(),
    smtp: reader.smtp(),
    company: reader.company(),
    passwords: reader.passwords(),
    webhookAllow: reader.ranges('POSTERN_WEBHOOK_ALLOW'),
    agentOperators: reader.agentOperators(),
    proxy: reader.proxy(),
    fastPath: reader.toggle('POSTERN_FAST_PATH'),
    publicUrl: reader
      .link('POSTERN_PUBLIC_URL', /^https?:\/\/[^?#@]+$/, 'an address such as https://postern.example')
      ?.replace(/\/+$/, ''),
    securityContact: reader.link(
      'POSTERN_SECURITY_CONTACT',
      /^(mailto:|https:\/\/|tel:)[\x21-\x7e]+$/,
      'an address that begins with mailto:, https:// or tel:',
    ),
    adminLink: reader.link(
      'POSTERN_ADMIN_LINK',
      /^https?:\/\/.*\{requestId\}/,
      'an address with {requestId} in it, such as https://admin.example/users?request={requestId}',
    ),
    unknownSettings: reader.unknown(),
  };
  reader.finish();
  return Object.freeze(config);
}

/** Settings that are more than a text, a number or a choice. */
class ConfigReader extends SettingReader {
  databaseUrl(): string | undefined {
    const text = this.text('POSTERN_DATABASE_URL');
    if (text === '') return undefined;
    // The value contains a password, so the error must not repeat it.
    if (!/^postgres(ql)?:\/\//.test(text)) this.fault('POSTERN_DATABASE_URL', 'must begin with postgres://');
    return text;
  }

  dnsServers(): readonly string[] | undefined {
    const servers = this.list('POSTERN_DNS_SERVERS');
    for (const server of servers) {
      if (parseDnsServerAddress(server) === undefined)
        this.fault('POSTERN_DNS_SERVERS', `has "${server}"; write host, host:port or [IPv6]:port`);
    }
    return optional(servers);
  }

  /** Links are built from them, browsers open them, and the dashboard uses one as its own origin. */
  link(name: Setting['name'], pattern: RegExp, must: string): string | undefined {
    const text = this.text(name);
    if (text !== '' && !(pattern.test(text) && URL.canParse(text)))
      this.fault(name, `must be ${must}, not "${text}"`);
    return optional(text);
  }

  canaries(): readonly string[] | undefined {
    const domains = this.list('POSTERN_DNS_CANARIES');
    if (domains.length === 1 && domains[0]?.toLowerCase() === 'off') return [];
    return optional(domains);
  }

  proxies(): readonly string[] | undefined {
    const ranges = this.list('POSTERN_TRUSTED_PROXIES');
    if (ranges.length === 1 && ranges[0]?.toLowerCase() === 'none') return [];
    for (const range of ranges) {
      if (range !== 'private' && parseCidr(range) === undefined)
        this.fault('POSTERN_TRUSTED_PROXIES', `has "${range}", which is not an address or CIDR range`);
    }
    return optional(ranges);
  }

  agentOperators(): readonly string[] {
    const operators = this.list('POSTERN_AGENT_OPERATORS');
    if (operators.length === 1 && operators[0]?.toLowerCase() === 'off') return [];
    for (const operator of operators) {
      if (!/^(https?:\/\/)?[a-z0-9.-]+(:\d+)?$/.test(operator))
        this.fault('POSTERN_AGENT_OPERATORS', `has "${operator}"; write a host such as chatgpt.com`);
    }
    return operators;
  }

  proxy(): OutgoingProxy | undefined {
    const url = this.text('HTTPS_PROXY');
    const resolves = this.toggle('POSTERN_PROXY_RESOLVES');
    // The value can contain a password, so the error must not repeat it.
    if (url !== '' && !(/^http:\/\/[^/]/.test(url) && URL.canParse(url)))
      this.fault('HTTPS_PROXY', 'must begin with http://');
    return url === '' ? undefined : { url, except: this.list('NO_PROXY'), resolves };
  }

  vendorUrl(): string | undefined {
    const url = this.text('POSTERN_STEP_UP_VENDOR_URL');
    if (url !== '' && !(/^https?:\/\/[^/]/.test(url) && URL.canParse(url)))
      this.fault('POSTERN_STEP_UP_VENDOR_URL', 'must begin with http:// or https://');
    return url === '' ? undefined : url;
  }

  smtp(): Config['smtp'] {
    const url = this.text('POSTERN_SMTP_URL');
    const from = this.text('POSTERN_SMTP_FROM');
    if (url === '' && from === '') return undefined;
    // The URL contains a password, so the error must not repeat it.
    if (!/^smtps?:\/\/./.test(url)) this.fault('POSTERN_SMTP_URL', 'must begin with smtp:// or smtps://');
    if (!from.includes('@'))
      this.fault('POSTERN_SMTP_FROM', 'must be an address when POSTERN_SMTP_URL is set');
    return { url, from };
  }

  auditStream(): string | undefined {
    const text = this.text('POSTERN_AUDIT_STREAM');
    // It can contain a password, so the error must not repeat it.
    if (
      text !== '' &&
      (!/^(syslog|syslog\+tcp|syslog\+tls|https?):\/\/[^/]/.test(text) || !URL.canParse(text))
    )
      this.fault(
        'POSTERN_AUDIT_STREAM',
        'must begin with syslog://, syslog+tcp://, syslog+tls:// or https://',
      );
    return optional(text);
  }

  company(): Config['company'] {
    const issuer = this.text('POSTERN_OIDC_ISSUER');
    if (issuer === '') return undefined;
    if (
      !URL.canParse(issuer) ||
      !/^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(`${issuer}/`)
    )
      this.fault(
        'POSTERN_OIDC_ISSUER',
        `must begin with https:// (http:// only on this machine), not "${issuer}"`,
      );
    const clientId = this.text('POSTERN_OIDC_CLIENT_ID');
    if (clientId === '') this.fault('POSTERN_OIDC_CLIENT_ID', 'is needed with POSTERN_OIDC_ISSUER');
    const clientSecret = this.text('POSTERN_OIDC_CLIENT_SECRET');
    if (clientSecret === '') this.fault('POSTERN_OIDC_CLIENT_SECRET', 'is needed with POSTERN_OIDC_ISSUER');
    const scopes = this.text('POSTERN_OIDC_SCOPES');
    if (!scopes.split(' ').includes('openid')) this.fault('POSTERN_OIDC_SCOPES', 'must contain openid');
    const roles = this.list('POSTERN_OIDC_ROLES').flatMap((part) => {
      const rule = parseRoleRule(part);
      if (rule === undefined)
        this.fault(
          'POSTERN_OIDC_ROLES',
          `has "${part}"; write claim=value:role or claim=value:role@project, for example groups=shop:admin@shop`,
        );
      return rule ?? [];
    });
    if (roles.length === 0)
      this.fault('POSTERN_OIDC_ROLES', 'is needed with POSTERN_OIDC_ISSUER; without it nobody has access');
    return { issuer, clientId, clientSecret, scopes, name: this.text('POSTERN_OIDC_NAME'), roles };
  }

  passwords(): boolean {
    const on = this.toggle('POSTERN_PASSWORDS');
    if (!on && this.text('POSTERN_OIDC_ISSUER') === '')
      this.fault('POSTERN_PASSWORDS', 'cannot be off without POSTERN_OIDC_ISSUER: nobody could sign in');
    return on;
  }

  ranges(name: Setting['name']): readonly string[] {
    const ranges = this.list(name);
    for (const range of ranges) {
      if (parseCidr(range) === undefined)
        this.fault(name, `has "${range}", which is not an address or a CIDR range`);
    }
    return ranges;
  }

  headerName(name: Setting['name']): string {
    const text = this.text(name);
    if (!/^[A-Za-z0-9-]{1,64}$/.test(text)) this.fault(name, 'must be a header’s name');
    return text.toLowerCase();
  }

  plans(): ReadonlyMap<string, number> {
    const plans = new Map<string, number>();
    for (const part of this.list('POSTERN_PLANS')) {
      const [, plan, limit] = /^([A-Za-z0-9_-]{1,40})=(\d{1,12})$/.exec(part) ?? [];
      if (plan === undefined)
        this.fault('POSTERN_PLANS', `has "${part}"; write plan=validations, for example free=10000`);
      else plans.set(plan, Number(limit));
    }
    return plans;
  }
}
