import { CLOUDFLARE_IP_HEADER } from './model/edge-networks.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ['auto', 'json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface Setting {
  /** Names that other programs read too are theirs. */
  readonly name: `POSTERN_${string}` | 'HTTPS_PROXY' | 'NO_PROXY';
  readonly default: string;
  readonly meaning: string;
  /** Also read from the file that the setting’s name with `_FILE` names. */
  readonly secret?: true;
}

/** A secret can come from a file, such as a container’s mounted one. */
export function fileSettingOf({ name }: Setting): string {
  return `${name}_FILE`;
}

/** What it means, for the help and the docs. */
export function meaningOf(setting: Setting): string {
  if (!setting.secret) return setting.meaning;
  return `${setting.meaning} Or ${fileSettingOf(setting)}: a file that contains it.`;
}

/** Every setting, in the order in which `--help` and the docs list them. */
export const SETTINGS: readonly Setting[] = [
  {
    name: 'POSTERN_HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on; 0.0.0.0 for every interface.',
  },
  { name: 'POSTERN_PORT', default: '8080', meaning: 'Port to listen on; 0 picks a free one.' },
  {
    name: 'POSTERN_DATA_DIR',
    default: './data',
    meaning: 'Folder of the embedded store and of refreshed data.',
  },
  {
    name: 'POSTERN_DATABASE_URL',
    default: '',
    secret: true,
    meaning: 'postgres://… for PostgreSQL; unset: the embedded store.',
  },
  { name: 'POSTERN_DNS_SERVERS', default: '', meaning: 'Resolvers as host:port,…; unset: the system’s.' },
  {
    name: 'POSTERN_DNS_CANARIES',
    default: '',
    meaning: 'Domains that a working resolver knows, comma-separated, or off; unset: well-known providers.',
  },
  { name: 'POSTERN_DNS_BUDGET_MS', default: '1500', meaning: 'Longest time that one mail look-up may take.' },
  {
    name: 'POSTERN_TRUSTED_PROXIES',
    default: '',
    meaning:
      'Proxies whose forwarding headers count, as CIDRs; the word private stands for loopback and private ranges, which is the default; none: nobody.',
  },
  {
    name: 'POSTERN_CLIENT_IP_HEADER',
    default: CLOUDFLARE_IP_HEADER,
    meaning: 'Header in which your CDN sends the visitor’s IP address.',
  },
  { name: 'POSTERN_WORKERS', default: '1', meaning: 'Processes that share the port.' },
  { name: 'POSTERN_DEMO', default: 'on', meaning: 'off: an empty store gets no demo project.' },
  {
    name: 'POSTERN_TLS_CERT',
    default: '',
    meaning: 'Certificate file (PEM); with POSTERN_TLS_KEY the service speaks HTTPS.',
  },
  { name: 'POSTERN_TLS_KEY', default: '', meaning: 'Private key file (PEM).' },
  {
    name: 'POSTERN_PLANS',
    default: 'free=10000,pro=100000,scale=1000000',
    meaning: 'Plans and their validations a month; the first is the default.',
  },
  {
    name: 'POSTERN_LOG_LEVEL',
    default: 'info',
    meaning: `${LOG_LEVELS.join(', ')}; debug adds a line for each request.`,
  },
  { name: 'POSTERN_LOG_FORMAT', default: 'auto', meaning: 'json, text, or auto: text on a terminal.' },
  {
    name: 'POSTERN_LOG_RETENTION_DAYS',
    default: '30',
    meaning: 'Days that the validation log keeps a row. A project can have a shorter time.',
  },
  {
    name: 'POSTERN_LOG_MAX_ROWS',
    default: '1000000',
    meaning: 'Rows that the validation log keeps for a project.',
  },
  {
    name: 'POSTERN_AUDIT_RETENTION_DAYS',
    default: '0',
    meaning: 'Days that the audit log keeps an entry; 0: no limit.',
  },
  {
    name: 'POSTERN_AUDIT_STREAM',
    default: '',
    secret: true,
    meaning:
      'Where audit entries are sent too: syslog://host:514 (UDP), syslog+tcp://host:601, syslog+tls://host:6514, or https://… for JSON lines.',
  },
  {
    name: 'POSTERN_OUTCOME_RETENTION_DAYS',
    default: '180',
    meaning: 'Days after a person was last seen in which an outcome about them counts.',
  },
  {
    name: 'POSTERN_FEEDS',
    default: 'on',
    meaning: 'on: refresh data from the built-in sources; off; or a JSON file that lists sources.',
  },
  {
    name: 'POSTERN_LEARNING',
    default: 'on',
    meaning: 'off: do not learn throwaway mail infrastructure from look-ups.',
  },
  {
    name: 'POSTERN_IP_DATABASE',
    default: '',
    meaning: 'Your own .mmdb database of anonymous IP addresses.',
  },
  {
    name: 'POSTERN_DOMAIN_DATES',
    default: '',
    meaning:
      'Your file with one domain and its registration date per line. Domains younger than 30 days get the signal `new_domain`.',
  },
  {
    name: 'POSTERN_METRICS_TOKEN',
    default: '',
    secret: true,
    meaning:
      'When set, /metrics asks for it as a bearer token; unset: /metrics answers only loopback and private networks.',
  },
  {
    name: 'POSTERN_SIGNING_KEYS',
    default: '',
    meaning:
      'A file with the keys that sign verdicts, or its content, for several installations that publish one key set; unset: the store’s own.',
  },
  {
    name: 'POSTERN_SMTP_URL',
    default: '',
    secret: true,
    meaning:
      'Mail server for alerts, invitations and new passwords (these also need POSTERN_PUBLIC_URL), such as smtp://user:password@mail.example:587.',
  },
  {
    name: 'POSTERN_SMTP_FROM',
    default: '',
    meaning: 'The address that mail comes from; needed with POSTERN_SMTP_URL.',
  },
  {
    name: 'POSTERN_STEP_UP_VENDOR_URL',
    default: '',
    meaning:
      'Asked about CAPTCHA tokens instead of the vendor (step-up): a stand-in for tests, or a relay of your own; unset: the vendor.',
  },
  {
    name: 'POSTERN_OIDC_ISSUER',
    default: '',
    meaning:
      'Company sign-in with OpenID Connect: the provider’s issuer, such as https://login.example.com; unset: none.',
  },
  {
    name: 'POSTERN_OIDC_CLIENT_ID',
    default: '',
    meaning: 'The client ID that the provider gave to Postern.',
  },
  {
    name: 'POSTERN_OIDC_CLIENT_SECRET',
    default: '',
    secret: true,
    meaning: 'The client’s secret.',
  },
  {
    name: 'POSTERN_OIDC_NAME',
    default: 'Company account',
    meaning: 'The company sign-in’s name; the button says “Sign in with …”.',
  },
  {
    name: 'POSTERN_OIDC_ROLES',
    default: '',
    meaning:
      'Who gets which role, as claim=value:role or claim=value:role@project, comma-separated. Without a match there is no access.',
  },
  {
    name: 'POSTERN_OIDC_SCOPES',
    default: 'openid email profile',
    meaning: 'The scopes to ask for; some providers send groups only with another one.',
  },
  {
    name: 'POSTERN_PASSWORDS',
    default: 'on',
    meaning: 'off: only the company sign-in lets people in, not passwords.',
  },
  {
    name: 'POSTERN_WEBHOOK_ALLOW',
    default: '',
    meaning: 'CIDR ranges that webhooks may reach although they are private, such as 10.0.0.0/8.',
  },
  {
    name: 'POSTERN_AGENT_OPERATORS',
    default: 'chatgpt.com,agent.bot.goog',
    meaning:
      'Who may sign requests of agents (Web Bot Auth): hosts, or origins such as https://agents.example:8443, whose published keys are read for projects that verify agents. Needs POSTERN_PUBLIC_URL: a signature names the host that it is for. off: none.',
  },
  {
    name: 'HTTPS_PROXY',
    default: '',
    meaning:
      'The HTTP proxy that feeds, webhooks and the company sign-in go through to https:// addresses, such as http://proxy.example:3128.',
  },
  {
    name: 'NO_PROXY',
    default: '',
    meaning: 'Hosts that are reached without HTTPS_PROXY: names, addresses or ranges, comma-separated.',
  },
  {
    name: 'POSTERN_PROXY_RESOLVES',
    default: 'off',
    meaning:
      'on: the proxy resolves the names of webhooks and refuses private addresses itself. off: Postern resolves and checks them.',
  },
  {
    name: 'POSTERN_FAST_PATH',
    default: 'on',
    meaning: 'off: Node’s HTTP parser reads every request; uses about 20% more CPU.',
  },
  {
    name: 'POSTERN_PUBLIC_URL',
    default: '',
    meaning: 'The service’s public address, for links and cookies, such as https://postern.example.com.',
  },
  {
    name: 'POSTERN_SECURITY_CONTACT',
    default: '',
    meaning:
      'Where people report a weakness of your installation, such as mailto:security@example.com; published as /.well-known/security.txt (RFC 9116). Unset: no such file.',
  },
  {
    name: 'POSTERN_ADMIN_LINK',
    default: '',
    meaning:
      'Where your own admin pages show a sign-up, with {requestId} for its request ID, such as https://admin.example/users?request={requestId}. The dashboard links to it.',
  },
];
