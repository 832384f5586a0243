/**
 * The fields of a project that people set, each declared once. The types, the parser, the command line's options, the
 * JSON views, the dashboard's API, its settings form, the store's columns and the docs all come from these tables.
 * To add a number: add a row here and a migration that adds its column (the name in snake case).
 */
import { STEP_UPS } from './challenges.ts';
import { type Action, type CheckName, DEFAULT_ACTIONS } from './checks.ts';
import { MAX_LIFETIME_DAYS } from './durations.ts';
import type { PolicyField, ProjectField, ValueOf } from './field-kinds.ts';
import { LANGUAGE_TAGS, type LanguageTag } from './languages/language-tags.ts';
import type { NamedLists } from './lists.ts';
import type { Rule } from './rules.ts';
import { POLICY_SIGNALS, type PolicySignal } from './signals.ts';

export type {
  CountField,
  ListField,
  PolicyField,
  ProjectField,
  ProjectMessages,
} from './field-kinds.ts';
export type { ListEntry, NamedLists } from './lists.ts';

/** A letter or digit first, then letters, digits, `-` and `_`. */
export const PROJECT_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The largest count that both stores and JSON keep exactly and that is still far beyond any use. */
const MAX_COUNT = 1_000_000_000_000;
const MAX_LIST_ENTRIES = 10_000;
/** How many inboxes a device is remembered with. A policy can ask for no more. */
export const MAX_OF_DEVICE = 200;

export const PROJECT_FIELDS = {
  name: {
    kind: 'name',
    label: 'Name',
    help: 'What people call the project.',
    option: 'name',
    optionHelp: 'what people call the project',
    maxLength: 100,
  },
  allowedDomains: {
    kind: 'domains',
    label: 'Allowed domains',
    help: 'The origins that may call with a client key.',
    option: 'allow-domain',
    optionHelp: 'origin that may call with a client key; repeatable',
    maxEntries: 500,
    // With no domain given, the first try on a developer's machine still works.
    default: ['localhost:*'],
  },
  plan: {
    kind: 'plan',
    label: 'Plan',
    help: 'Sets the monthly quota, unless the project has its own.',
    option: 'plan',
    optionHelp: 'the plan that sets the monthly quota',
    operatorOnly: true,
  },
  quotaLimit: {
    kind: 'count',
    label: 'Own monthly quota',
    unit: 'validations a month',
    help: 'Leave empty to use the plan’s quota.',
    option: 'quota',
    optionHelp: 'validations a month instead of the plan’s; "plan" returns to the plan’s',
    min: 0,
    max: MAX_COUNT,
    default: null,
    nullWord: 'plan',
    operatorOnly: true,
  },
  rateClient: {
    kind: 'count',
    label: 'Client key rate',
    unit: 'requests an hour',
    help: 'For all client keys of the project together, over any sixty minutes.',
    option: 'rate-client',
    optionHelp: 'requests an hour with client keys',
    min: 0,
    max: MAX_COUNT,
    default: 1_000,
    operatorOnly: true,
  },
  rateServer: {
    kind: 'count',
    label: 'Server key rate',
    unit: 'requests an hour',
    help: 'Counted apart from client keys.',
    option: 'rate-server',
    optionHelp: 'requests an hour with server keys',
    min: 0,
    max: MAX_COUNT,
    default: 5_000,
    operatorOnly: true,
  },
  visitorRate: {
    kind: 'count',
    label: 'Visitor rate',
    unit: 'requests an hour',
    help: 'The most that one visitor’s network (an IPv4 address, an IPv6 /64) may ask with client keys; its /56 may ask twice as much, its /48 four times. A client key is public: without this limit one visitor can use up the project’s hour. 0 switches it off.',
    option: 'visitor-rate',
    optionHelp: 'requests an hour that one visitor’s network may make with client keys; 0 for no limit',
    min: 0,
    max: MAX_COUNT,
    default: 120,
  },
  serverReserve: {
    kind: 'count',
    label: 'Reserve for server keys',
    unit: 'validations a month',
    help: 'The part of the monthly quota that client keys cannot use, so that your backend can still ask when strangers have used up the rest. A new project with its plan’s quota starts with a tenth of it, one with a quota of its own with 0.',
    option: 'server-reserve',
    optionHelp: 'validations a month that client keys cannot use',
    min: 0,
    max: MAX_COUNT,
    default: 0,
  },
  retentionDays: {
    kind: 'count',
    label: 'Retention',
    unit: 'days',
    help: 'After this many days, devices and inboxes are forgotten. The log has its own retention.',
    option: 'retention-days',
    optionHelp: 'how many days devices and inboxes are remembered',
    min: 1,
    max: MAX_LIFETIME_DAYS,
    default: 90,
  },
  logRetentionDays: {
    kind: 'count',
    label: 'Log retention',
    unit: 'days',
    help: 'After this many days, log rows, campaigns and webhook deliveries are deleted. Leave empty to use the installation’s setting (POSTERN_LOG_RETENTION_DAYS), which is also the most: a larger number here keeps nothing longer.',
    option: 'log-retention-days',
    optionHelp:
      'how many days log rows are kept, at most as many as POSTERN_LOG_RETENTION_DAYS; "installation" returns to that',
    min: 1,
    max: MAX_LIFETIME_DAYS,
    default: null,
    nullWord: 'installation',
  },
  claimRetentionDays: {
    kind: 'count',
    label: 'Claim retention',
    unit: 'days',
    help: 'How long a claim holds what each person gets once, such as a trial. It survives the deletion of the account.',
    option: 'claim-retention-days',
    optionHelp: 'how many days a claim, such as a trial, is remembered',
    min: 1,
    max: MAX_LIFETIME_DAYS,
    default: 400,
  },
  allowList: {
    kind: 'list',
    label: 'Always allow',
    help: 'Who is always answered with `allow`, whatever the checks find: an address and every spelling of its inbox, a domain and what is under it, an IP address, a range, an operator (AS64500), a country (country:DE), a device or a person.',
    option: 'always-allow',
    optionHelp:
      'add an entry to the allow list, such as jane@example.com, example.com, 203.0.113.0/24, AS64500 or country:DE; repeatable',
    maxEntries: MAX_LIST_ENTRIES,
    default: [],
  },
  blockList: {
    kind: 'list',
    label: 'Always block',
    help: 'Who is always answered with `block`, whatever the checks find. The more specific entry of both lists wins; between equally specific ones, allow.',
    option: 'always-block',
    optionHelp: 'add an entry to the block list, in the same forms; repeatable',
    maxEntries: MAX_LIST_ENTRIES,
    flags: true,
    default: [],
  },
} as const satisfies Record<string, ProjectField>;

export const POLICY_FIELDS = {
  actions: {
    kind: 'actions',
    label: 'Checks',
    help: 'Which checks run, and what a failure of each does.',
    option: 'action',
    optionHelp: 'check=action; allow, flag, block or off for one check; repeatable',
    default: DEFAULT_ACTIONS,
  },
  signals: {
    kind: 'signals',
    label: 'Signals',
    help: 'What signals do that fail no check. A signal that is off is only reported.',
    option: 'signal',
    optionHelp: `signal=flag or signal=off, for ${POLICY_SIGNALS.join(', ')}; repeatable`,
    default: { lookalike_spelling: 'flag' },
  },
  unknownMx: {
    kind: 'choice',
    label: 'Mail check without an answer',
    help: 'What happens when DNS cannot tell whether mail reaches the domain: a timeout, a resolver without internet, no file descriptors left. Letting such people pass punishes nobody for the trouble; flagging them lets nobody use it to get past the check.',
    option: 'unknown-mx',
    optionHelp: 'what happens when DNS cannot tell whether mail reaches the domain',
    values: ['pass', 'flag'],
    default: 'pass',
  },
  unknownIp: {
    kind: 'choice',
    label: 'IP check without an answer',
    help: 'What happens when there is no data about networks to look the address up in.',
    option: 'unknown-ip',
    optionHelp: 'what happens when there is no data about networks',
    values: ['pass', 'flag'],
    default: 'pass',
  },
  relays: {
    kind: 'choice',
    label: 'Privacy relays',
    help: 'Whether addresses of Hide My Email, Firefox Relay, DuckDuckGo and similar services pass the alias check.',
    option: 'relays',
    optionHelp: 'whether privacy relays pass the alias check',
    values: ['pass', 'fail'],
    default: 'pass',
  },
  clientOverrides: {
    kind: 'choice',
    label: 'Overrides from client keys',
    help: 'What `validations` in a request with a client key may change.',
    option: 'client-overrides',
    optionHelp: 'what `validations` from a client key may change',
    values: ['allow', 'tighten', 'ignore'],
    default: 'allow',
  },
  crowd: {
    kind: 'choice',
    label: 'Crowds',
    help: 'What happens to people who come with what a crowd of new people shares: a rented domain, a mail server, a network or a browser. `allow` still counts and shows them. Crowds are guesses about people who never met, so `block` stops honest ones now and then; what only client keys claim flags at most.',
    option: 'crowd',
    optionHelp: 'what happens to people who are part of a crowd',
    values: ['allow', 'flag', 'block'],
    default: 'flag',
  },
  crowdDevices: {
    kind: 'choice',
    label: 'Browsers that many share',
    help: 'Whether a browser’s share of its kind accuses people. `watch`: the check passes with the signal `device_crowd`, so the log shows whom it would have flagged.',
    option: 'crowd-devices',
    optionHelp: 'whether a browser’s share of its kind accuses people (act) or is only reported (watch)',
    values: ['act', 'watch'],
    default: 'act',
  },
  agents: {
    kind: 'choice',
    label: 'Agents',
    help: 'Whether the signatures of programs that act for people (Web Bot Auth) are verified, for the facts `agent.verified` and `agent.operator` of rules. Needs POSTERN_PUBLIC_URL; POSTERN_AGENT_OPERATORS names the operators whose keys are read.',
    option: 'agents',
    optionHelp: 'whether signatures of agents are verified',
    values: ['off', 'verify'],
    default: 'off',
  },
  refusal: {
    kind: 'choice',
    label: 'What a page learns',
    help: 'Whether people and pages learn why. `quiet`: everybody gets the same neutral sentence, and a page’s answer and verdict have no checks and no signals. The log, webhooks and answers to server keys still have them.',
    option: 'refusal',
    optionHelp: 'whether people and pages learn why (plain) or not (quiet)',
    values: ['plain', 'quiet'],
    default: 'plain',
  },
  stepUp: {
    kind: 'choice',
    label: 'What a flag asks for',
    help: 'What a flagged person can do to be allowed after all: nothing, type a code that is mailed to the address, let the browser work for some seconds, or solve the CAPTCHA of your own vendor. `code` needs a mail server, `vendor` the vendor’s account. The form asks by itself if it has the SDK.',
    option: 'step-up',
    optionHelp: 'what a flagged person can do to be allowed after all',
    values: STEP_UPS,
    default: 'none',
  },
  stepUpEffort: {
    kind: 'choice',
    label: 'Effort of the work',
    help: 'How long a browser has to work: about a third of a second, one and a half or five seconds on an ordinary laptop, several times as long on an old phone. While a campaign is under way it is one step more.',
    option: 'step-up-effort',
    optionHelp: 'how long a browser has to work when a flag asks for work',
    values: ['low', 'normal', 'high'],
    default: 'normal',
  },
  stepUpMailRate: {
    kind: 'count',
    label: 'Codes by mail',
    unit: 'codes an hour',
    help: 'The most codes that the project mails in an hour. Above it, flagged people are not asked, and members get an alert. It keeps strangers from sending mail in your name.',
    option: 'step-up-mail-rate',
    optionHelp: 'the most codes that are mailed in an hour',
    min: 0,
    max: 100_000,
    default: 200,
  },
  claimCampaigns: {
    kind: 'choice',
    label: 'Claims of campaigns',
    help: 'Whether a claim, such as a trial, is refused when the person belongs to a campaign that members marked as bad.',
    option: 'claim-campaigns',
    optionHelp: 'whether people of campaigns that members marked as bad get claims',
    values: ['allow', 'refuse'],
    default: 'allow',
  },
  deviceThreshold: {
    kind: 'count',
    label: 'Device threshold',
    unit: 'other inboxes',
    help: 'The device check fails when at least this many other inboxes have signed up from the device. Families share devices. From three networks on, 3% of the browser’s people of the month may have it besides, and browsers that hide their hardware (phones, Macs, Firefox) are judged as a crowd instead. Where the action is block, as many must be confirmed by your backend; otherwise it flags.',
    option: 'device-threshold',
    optionHelp: 'number of other inboxes from which the device check fails',
    min: 1,
    max: MAX_OF_DEVICE,
    default: 3,
  },
  messageLanguage: {
    kind: 'choice',
    label: 'Language of the messages',
    help: 'By default each request decides, with `locale` or `Accept-Language`. Choose a language if your form has only one.',
    option: 'message-language',
    optionHelp: 'language of the messages; "request" lets each request decide',
    values: ['request', ...LANGUAGE_TAGS],
    default: 'request',
  },
  messages: {
    kind: 'messages',
    label: 'Own messages',
    help: 'Replaces the message of a check in one language. Plain text on one line.',
    option: 'message',
    optionHelp:
      'language.check=text, for example de.disposable="…"; without text the usual message comes back; repeatable',
    maxLength: 300,
    default: {},
  },
} as const satisfies Record<string, PolicyField>;

export type ProjectFieldName = keyof typeof PROJECT_FIELDS;
type PolicyFieldName = keyof typeof POLICY_FIELDS;

type ValuesOf<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

export type ProjectPolicy = ValuesOf<typeof POLICY_FIELDS>;
/** A project as people set it. */
export type ProjectSettings = ValuesOf<typeof PROJECT_FIELDS> & {
  readonly policy: ProjectPolicy;
  /** In the order in which they are tried. */
  readonly rules: readonly Rule[];
  readonly namedLists: NamedLists;
};

/**
 * A change of the policy. `actions`, `signals` and `messages` change what they name only. `off` switches a check or signal
 * off, and `null` brings the usual message back.
 */
export type PolicyPatch = {
  readonly [Name in Exclude<PolicyFieldName, 'actions' | 'signals' | 'messages'>]?:
    | ProjectPolicy[Name]
    | undefined;
} & {
  readonly messages?:
    | { readonly [Tag in LanguageTag]?: Readonly<Partial<Record<CheckName, string | null>>> | null }
    | undefined;
  readonly actions?: Readonly<Partial<Record<CheckName, Action | 'off'>>> | undefined;
  readonly signals?: Readonly<Partial<Record<PolicySignal, 'flag' | 'off'>>> | undefined;
};
/** A change of a project. An absent field stays as it is. */
export type ProjectPatch = {
  readonly [Name in ProjectFieldName]?: ProjectSettings[Name] | undefined;
} & {
  readonly policy?: PolicyPatch | undefined;
  /** All rules, in their order. */
  readonly rules?: readonly Rule[] | undefined;
  /** All named lists. */
  readonly namedLists?: NamedLists | undefined;
};

/** The fields that an admin of some projects cannot set, as tenants can share an installation. */
export const OPERATOR_FIELDS: readonly ProjectFieldName[] = fieldRows(PROJECT_FIELDS).flatMap(
  ([name, field]) => ('operatorOnly' in field ? [name] : []),
);

/** Names and rows of a table, with the names' own type. */
export function fieldRows<Fields extends object>(
  fields: Fields,
): [name: keyof Fields & string, field: Fields[keyof Fields]][] {
  return Object.entries(fields) as [keyof Fields & string, Fields[keyof Fields]][];
}

type FieldsWithDefault<Fields> = {
  [Name in keyof Fields as Fields[Name] extends { default: unknown } ? Name : never]: Fields[Name];
};

/** The default of every field that has one. A project's name and plan have none. */
export function defaultValues<Fields extends Record<string, ProjectField | PolicyField>>(
  fields: Fields,
): ValuesOf<FieldsWithDefault<Fields>> {
  const values = Object.entries(fields).flatMap(([name, field]) =>
    'default' in field ? [[name, field.default] as const] : [],
  );
  return Object.fromEntries(values) as ValuesOf<FieldsWithDefault<Fields>>;
}
