import type { StepUp } from './challenges.ts';
import type { Action } from './checks.ts';

/** What many people can share, and the times over which they are counted. */
export const CROWD_THINGS = ['domain', 'mailHost', 'network', 'device'] as const;
export type CrowdThing = (typeof CROWD_THINGS)[number];
export const CROWD_SPANS = ['hour', 'day', 'week', 'month'] as const;
type CrowdSpan = (typeof CROWD_SPANS)[number];
export type CrowdFactName = `crowd.${CrowdThing}.${CrowdSpan}`;

const SHARED: Readonly<Record<CrowdThing, string>> = {
  domain: 'the registrable domain, unless it is a provider’s or a relay’s',
  mailHost: 'the mail host, if it is on no list',
  network: 'the IPv4 /24 or IPv6 /48, unless it is a relay’s, a company gateway’s or private',
  device: 'the device',
};
const SPANS: Readonly<Record<CrowdSpan, string>> = {
  hour: 'hour',
  day: '24 hours',
  week: '7 days',
  month: '30 days',
};

function crowdFacts() {
  const facts = CROWD_THINGS.flatMap((thing) =>
    CROWD_SPANS.map((span) => [
      `crowd.${thing}.${span}`,
      {
        type: 'int',
        meaning: `How many others were new to the project and came with ${SHARED[thing]}, within the last ${SPANS[span]}; at most 200. Who was blocked is not counted.`,
        example: `crowd.${thing}.${span} > 20`,
      },
    ]),
  );
  return Object.fromEntries(facts) as Readonly<Record<CrowdFactName, RuleFact & { readonly type: 'int' }>>;
}

/**
 * The facts that a rule’s expression can use. The docs’ table, the type checker, the editor’s completion and the tests
 * come from here. Each is in the log, so that a rule can be replayed exactly. A fact that is missing has the neutral
 * value of its type: `""`, `0`, `false` or `[]`.
 */
export const RULE_FACTS = {
  'email.domain': {
    type: 'string',
    meaning: 'The domain as the log shows it, in lower case and A-labels.',
    example: 'email.domain == "example.com"',
  },
  'email.registrable': {
    type: 'string',
    meaning: 'The part of the domain that somebody registered: `example.co.uk` of `mail.example.co.uk`.',
    example: 'email.registrable == "example.co.uk"',
  },
  'email.tld': {
    type: 'string',
    meaning: 'The last label of the domain.',
    example: 'email.tld in ["xyz", "top"]',
  },
  'email.class': {
    type: 'string',
    meaning: '`free`, `business`, `relay` or `disposable`, as the statistics count domains.',
    example: 'email.class == "free"',
  },
  'email.shape': {
    type: 'string',
    meaning:
      'The shape of a name that has letters and digits: `a` for letters, `9` for each digit, signs as they are. `jane.doe84` is `a.a99`; digits in several places are `mixed`. Empty for a name without digits or without letters. A tag is left out.',
    example: 'email.shape == "a99"',
  },
  'email.role': {
    type: 'bool',
    meaning: 'The address stands for a function, not a person.',
    example: 'email.role',
  },
  'email.tagged': {
    type: 'bool',
    meaning: 'The address carries a tag, such as `jane+shop@`.',
    example: 'email.tagged',
  },
  'email.relay': {
    type: 'bool',
    meaning: 'The address belongs to a privacy relay.',
    example: 'email.relay',
  },
  'mail.kind': {
    type: 'string',
    meaning:
      'What stands behind the domain’s mail: `provider` (Gmail and the like, and relays), `hosted` (Google Workspace, Microsoft 365 and the like for a company’s own domain), `forwarder` (Cloudflare Email Routing, ImprovMX and the like), `webhost` (shared hosting and registrars), `own` (a host of its own or one on no list) or `unknown` (DNS was not asked or did not answer).',
    example: 'mail.kind == "forwarder"',
  },
  'mail.host': {
    type: 'string',
    meaning:
      'The operator of the preferred mail host, such as `google.com` or `cloudflare.net`, or the IP address of a host under the domain’s own name. Empty if DNS was not asked or did not answer.',
    example: 'mail.host == "mx-farm.net"',
  },
  'mail.domainsMonth': {
    type: 'int',
    meaning:
      'How many domains brought new people to the project in the last 30 days whose mail this host receives. 0 for the hosts of providers, forwarders, web hosts and business mail.',
    example: 'mail.domainsMonth > 5',
  },
  'ip.known': {
    type: 'bool',
    meaning: 'The client’s IP address is known.',
    example: '!ip.known',
  },
  'ip.kind': {
    type: 'string',
    meaning:
      '`private`, `corporate`, `relay`, `tor`, `vpn`, `proxy`, `hosting`, `ordinary` or `unknown`, as in the `ip` check’s metadata.',
    example: 'ip.kind in ["hosting", "tor"]',
  },
  'ip.country': {
    type: 'string',
    meaning: 'Two capital letters, as ISO 3166 has them: `GB`, not `UK`.',
    example: 'ip.country in ["DE", "AT", "CH"]',
  },
  'ip.asn': {
    type: 'int',
    meaning: 'The number (AS) of the network’s operator.',
    example: 'ip.asn == 64500',
  },
  'ip.network': {
    type: 'string',
    meaning: 'The operator’s name.',
    example: 'ip.network.contains("Hosting")',
  },
  'ip.range': {
    type: 'string',
    meaning: 'The IPv4 /24 or IPv6 /48 of the address, as the log shows it.',
    example: 'inList("offices", ip.range)',
  },
  'device.known': {
    type: 'bool',
    meaning: 'The request carried a fingerprint.',
    example: '!device.known && key.type == "client"',
  },
  'device.automated': {
    type: 'bool',
    meaning:
      'The user agent is a headless or scripted browser, or the other headers of a page’s request say so.',
    example: 'device.automated',
  },
  'device.reused': {
    type: 'bool',
    meaning: 'Another inbox has signed up from the device before. Anybody with a client key can cause that.',
    example: 'device.reused && ip.kind == "hosting"',
  },
  'device.overThreshold': {
    type: 'bool',
    meaning:
      'At least as many other inboxes as the policy’s threshold have signed up from the device, as the device check counts them. It can rest on what client keys claimed.',
    example: 'device.overThreshold && email.class == "free"',
  },
  'device.hash': {
    type: 'string',
    meaning: 'The device as the log shows it.',
    example: 'inList("testers", device.hash)',
  },
  'inbox.reused': {
    type: 'bool',
    meaning:
      'The project has seen the same inbox under another spelling, as the alias check counts it. It can rest on what a client key claimed.',
    example: 'inbox.reused',
  },
  'inbox.hash': {
    type: 'string',
    meaning: 'The person as the log shows them.',
    example: 'inList("partners", inbox.hash)',
  },
  signals: {
    type: 'list',
    meaning:
      'The signals of the checks. `device_seen_<N>_times` is listed without its number. Signals of rules and lists are not among them.',
    example: '"network_burst" in signals',
  },
  failed: {
    type: 'list',
    meaning: 'The names of the checks that failed.',
    example: '"mx" in failed || size(failed) > 2',
  },
  event: {
    type: 'string',
    meaning:
      'What the person is doing: `sign_up` unless the request says otherwise, such as `email_change`, `invitation`, `oauth`, `magic_link` or `trial`.',
    example: 'event == "trial" && ip.kind == "vpn"',
  },
  'agent.operator': {
    type: 'string',
    meaning:
      'The host of the operator in whose name a program signed the request (Web Bot Auth), such as `chatgpt.com`. Empty unless the policy’s `agents` is `verify`, or if the operator’s keys could not be read.',
    example: 'agent.operator != "" && !agent.verified',
  },
  'agent.verified': {
    type: 'bool',
    meaning: 'The signature is the operator’s.',
    example: 'agent.verified && agent.operator == "chatgpt.com"',
  },
  'key.type': {
    type: 'string',
    meaning: '`client` or `server`.',
    example: 'key.type == "client"',
  },
  'time.hour': {
    type: 'int',
    meaning: 'The hour in UTC, 0 to 23.',
    example: 'time.hour >= 1 && time.hour < 5',
  },
  'time.weekday': {
    type: 'int',
    meaning: 'The day of the week in UTC: Monday is 1, Sunday is 7.',
    example: 'time.weekday >= 6',
  },
  ...crowdFacts(),
} as const satisfies Record<string, RuleFact>;

export interface RuleFact {
  /** `list` is a list of strings. */
  readonly type: 'string' | 'int' | 'bool' | 'list';
  readonly meaning: string;
  readonly example: string;
}

export type RuleFactName = keyof typeof RULE_FACTS;

type FactValue<Type> = Type extends 'string'
  ? string
  : Type extends 'int'
    ? number
    : Type extends 'bool'
      ? boolean
      : readonly string[];

/** The facts of one request, by their names. */
export type RuleFacts = {
  readonly [Name in RuleFactName]: FactValue<(typeof RULE_FACTS)[Name]['type']>;
};

/** What an expression can call, besides operators. */
export const RULE_FUNCTIONS = {
  inList: {
    form: 'inList("name", value)',
    meaning:
      'Whether the project’s list of that name covers the value: a domain, a country, an operator’s number, a range, `inbox.hash` or `device.hash`.',
  },
  size: { form: 'size(value)', meaning: 'The length of a text or a list.' },
  startsWith: { form: 'text.startsWith("x")', meaning: 'Whether the text starts with `x`.' },
  endsWith: { form: 'text.endsWith("x")', meaning: 'Whether the text ends with `x`.' },
  contains: { form: 'text.contains("x")', meaning: 'Whether the text contains `x`.' },
  lowerAscii: { form: 'text.lowerAscii()', meaning: 'The text with A to Z in lower case.' },
  upperAscii: { form: 'text.upperAscii()', meaning: 'The text with a to z in upper case.' },
  exists: {
    form: 'list.exists(x, condition)',
    meaning: 'Whether the condition holds for at least one element. Such functions cannot be nested.',
  },
  all: { form: 'list.all(x, condition)', meaning: 'Whether the condition holds for every element.' },
  exists_one: {
    form: 'list.exists_one(x, condition)',
    meaning: 'Whether the condition holds for exactly one element.',
  },
  int: { form: 'int(value)', meaning: 'The whole part of a number.' },
  double: { form: 'double(value)', meaning: 'A whole number as a floating-point number.' },
  string: { form: 'string(value)', meaning: 'A number, text or truth value as text.' },
} as const;

export const RULE_LIMITS = {
  /** Rules of a project. */
  rules: 100,
  /** Characters of an expression. */
  characters: 2_000,
  /** Names, values and operators of an expression. */
  nodes: 200,
  /** How deep brackets, conditions and functions can be inside each other. */
  depth: 32,
  /** Steps that one evaluation of an expression can take. */
  steps: 2_000,
  /** The same for all rules of a project together, each evaluated once. */
  stepsOfAll: 10_000,
  nameLength: 100,
  noteLength: 500,
  messageLength: 300,
  /** Named lists of a project, and entries of each. */
  lists: 50,
  listEntries: 10_000,
} as const;

export const RULE_MODES = ['live', 'shadow'] as const;
/** A shadow rule changes no answer. It is only counted. */
export type RuleMode = (typeof RULE_MODES)[number];

export interface Rule {
  /** 1 to 40 of `a-z`, `0-9` and `_`. A live rule that matches gives the signal `rule_<id>`. */
  readonly id: string;
  readonly name: string;
  /** The condition, in CEL (Common Expression Language). */
  readonly when: string;
  readonly then: Action;
  readonly mode: RuleMode;
  /** With `flag`: what it asks of the person, instead of the policy’s own. */
  readonly stepUp?: StepUp;
  readonly note?: string;
  /** What a sign-up form shows the person, instead of the neutral message. */
  readonly message?: string;
  /** Milliseconds since 1970. From then on the rule no longer matches. */
  readonly expiresAt?: number;
  /** When it was created. Its figures begin then, also if an earlier rule had the same ID. Absent: before all figures. */
  readonly createdAt?: number;
  /** When it was last changed, and by whom: `cli`, or a member’s ID. */
  readonly changedAt?: number;
  readonly changedBy?: string;
}

/** 1 to 40 of these letters: names of rules and of lists. */
export const RULE_ID = /^[a-z0-9_]{1,40}$/;

/** The signal of a live rule that matched. */
export function ruleSignal(id: string): `rule_${string}` {
  return `rule_${id}`;
}
