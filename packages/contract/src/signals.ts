import type { CheckName } from './checks.ts';

interface SignalRow {
  /** The check that raises it. `null`: the project’s own lists or rules do. */
  readonly check: CheckName | null;
  /** Whether the check that raises it has failed; `either` when the check can pass with it. */
  readonly checkFails: 'always' | 'never' | 'either';
  readonly meaning: string;
}

/** Every signal. `<N>` stands for a count. */
export const SIGNALS = {
  lookalike_spelling: {
    check: 'syntax',
    checkFails: 'either',
    meaning:
      'The domain was typed with characters that stand for others, such as `ｇmail.com` or `gmail。com`. It is the same inbox as the usual spelling; see `normalized`. A new project flags it; `--signal lookalike_spelling=off` only reports it.',
  },
  disposable_email: {
    check: 'disposable',
    checkFails: 'always',
    meaning: 'The domain, or a parent of it, belongs to a throwaway-address service.',
  },
  disposable_mx: {
    check: 'disposable',
    checkFails: 'always',
    meaning: 'The domain’s mail is handled by a throwaway operator’s mail host.',
  },
  disposable_infrastructure: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'The unlisted domain shares mail hosts, their network, or name servers with mostly listed ones; see `evidence`.',
  },
  parked_domain: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'No list has the domain, and a parking service receives its mail or runs its name servers; see `parking`. Name servers are known from the second request on.',
  },
  wildcard_mail: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'No list has the domain, and every name under it receives mail, made-up ones too. People with a mail host of their own do this too. Known from the second request on.',
  },
  domain_crowd: {
    check: 'disposable',
    checkFails: 'always',
    meaning:
      'Many new people came with the same registrable domain, and its mail and their networks are not those of an ordinary company; see `crowd`. The policy’s `crowd` decides what follows.',
  },
  mail_host_crowd: {
    check: 'disposable',
    checkFails: 'always',
    meaning:
      'Many new people came with several domains whose mail goes to the same unlisted host; see `crowd`. The policy’s `crowd` decides what follows.',
  },
  listing_suspect: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'A single weak source lists the domain while a business mail provider hosts it; nobody fails for that.',
  },
  random_local_part: {
    check: 'disposable',
    checkFails: 'never',
    meaning: 'The part before the @ looks generated: impossible letter pairs, or scattered digits.',
  },
  new_domain: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'The domain was registered less than 30 days ago, by the operator’s own file (`POSTERN_DOMAIN_DATES`).',
  },
  cheap_ending: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'No list has the domain, and names with its ending (`.xyz`, `.shop`, `.my.id` and others) cost next to nothing. Real shops have such endings too.',
  },
  unknown_mail_service: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'No list has the domain, and its name has a word for a mailbox (`mail`, `inbox`). Small mail providers and newspapers have such names too.',
  },
  domain_new_here: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'No list has the domain, and the project, which has counted sign-ups for at least 30 days, first saw it less than seven days ago. A small company’s first sign-up looks the same. Not for projects with more than 48 domains in half an hour.',
  },
  domain_turned_bad: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'At least three people at the same unlisted domain turned out bad by the project’s own outcomes; see `turnedBad`.',
  },
  subdomain_churn: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'The project saw at least three new names under the same unlisted domain within a day; see `newNames`. Counted by each process.',
  },
  pattern_burst: {
    check: 'disposable',
    checkFails: 'never',
    meaning:
      'Within an hour there were far more new inboxes of this shape at the domain than usual: at least 20, with at most 5 counted for one network; see `pattern`. Counted by each process.',
  },
  no_mx_records: {
    check: 'mx',
    checkFails: 'always',
    meaning: 'The domain exists but has neither a mail host nor an address.',
  },
  null_mx: {
    check: 'mx',
    checkFails: 'always',
    meaning: 'The domain states that it accepts no mail (RFC 7505).',
  },
  domain_not_found: { check: 'mx', checkFails: 'always', meaning: 'The domain does not exist.' },
  unroutable_mx: {
    check: 'mx',
    checkFails: 'always',
    meaning: 'The domain’s mail hosts do not resolve, or only to addresses that the internet cannot reach.',
  },
  dns_no_answer: {
    check: 'mx',
    checkFails: 'never',
    meaning: 'DNS gave no answer about the domain, although it answered for well-known domains.',
  },
  domain_typo: {
    check: 'mx',
    checkFails: 'either',
    meaning: 'The domain looks like a misspelling of a well-known one; see `suggestion`.',
  },
  role_email: {
    check: 'roleEmail',
    checkFails: 'always',
    meaning: 'The local part stands for a function, not a person.',
  },
  alias_detected: {
    check: 'alias',
    checkFails: 'always',
    meaning: 'The address is a variant that reaches another address’s inbox.',
  },
  alias_reuse: {
    check: 'alias',
    checkFails: 'always',
    meaning:
      'This project has seen the same inbox under another spelling. Claims of client keys from another network count for seven days, and not where the policy blocks on `alias`.',
  },
  relay_email: {
    check: 'alias',
    checkFails: 'either',
    meaning: 'A privacy relay’s address that needs an account; fails only where the project says so.',
  },
  device_reuse: {
    check: 'device',
    checkFails: 'either',
    meaning: 'This device has already signed up with another inbox.',
  },
  'device_seen_<N>_times': {
    check: 'device',
    checkFails: 'either',
    meaning: 'N distinct inboxes signed up from the device before this request; N is 2 or more.',
  },
  device_crowd: {
    check: 'device',
    checkFails: 'always',
    meaning:
      'Within 30 days more new people came with the fingerprint than its kind of browser explains, from several networks; see `crowd`. The policy’s `crowd` decides what follows.',
  },
  automated_browser: {
    check: 'device',
    checkFails: 'either',
    meaning:
      'The user agent or other headers of a page’s request say that a script drives the browser; see `automatedBy`.',
  },
  tor_exit: { check: 'ip', checkFails: 'always', meaning: 'The address is a Tor exit.' },
  vpn_detected: { check: 'ip', checkFails: 'always', meaning: 'The address belongs to a VPN.' },
  proxy_detected: { check: 'ip', checkFails: 'always', meaning: 'The address is a proxy.' },
  hosting_ip: { check: 'ip', checkFails: 'always', meaning: 'The address belongs to a hosting network.' },
  network_crowd: {
    check: 'ip',
    checkFails: 'always',
    meaning:
      'Within 7 days far more new people came from the network (IPv4 /24, IPv6 /48) than its kind explains; see `crowd`. The policy’s `crowd` decides what follows.',
  },
  network_burst: {
    check: 'ip',
    checkFails: 'never',
    meaning:
      'Within an hour far more new inboxes than usual came from the network (IPv4 /24, IPv6 /48), at least 20; see `burst`. Counted by each process.',
  },
  allow_listed: {
    check: null,
    checkFails: 'either',
    meaning: 'An entry of the project’s allow list covers the request, and the answer is `allow`.',
  },
  block_listed: {
    check: null,
    checkFails: 'either',
    meaning: 'An entry of the project’s block list covers the request, and the answer is `block`.',
  },
  agent_verified: {
    check: null,
    checkFails: 'either',
    meaning:
      'A program acts for the person, and its operator signed the request (Web Bot Auth). Only where the policy’s `agents` is `verify`; the answer stays what it is unless a rule says otherwise.',
  },
  agent_impostor: {
    check: null,
    checkFails: 'either',
    meaning:
      'The request names an operator of agents, but the signature is not that operator’s, is older than five minutes or does not cover what it must.',
  },
  'rule_<id>': {
    check: null,
    checkFails: 'either',
    meaning:
      'The project’s live rule with that ID matched. The first that matches decides, unless a list does.',
  },
} as const;
SIGNALS satisfies Record<string, SignalRow>;

type SeenTimes = 'device_seen_<N>_times';
type RuleMatched = 'rule_<id>';
/** A signal as it stands in an answer. */
export type Signal =
  | Exclude<keyof typeof SIGNALS, SeenTimes | RuleMatched>
  | `device_seen_${number}_times`
  | `rule_${string}`;

export function deviceSeenSignal(times: number): Signal {
  return `device_seen_${times}_times`;
}

const SEEN_TIMES = /^device_seen_\d+_times$/;

/** The signal without its number: what is counted, filtered and explained as one. */
export function signalFamily(signal: string): string {
  return SEEN_TIMES.test(signal) ? ('device_seen_<N>_times' satisfies SeenTimes) : signal;
}

/**
 * Signals that fail no check and that a project’s policy can act on all the same. A later signal of this kind is a row
 * here.
 */
export const POLICY_SIGNALS = [
  'lookalike_spelling',
  'dns_no_answer',
  'random_local_part',
  'new_domain',
  'parked_domain',
  'wildcard_mail',
  'cheap_ending',
  'unknown_mail_service',
  'domain_new_here',
  'domain_turned_bad',
  'subdomain_churn',
  'pattern_burst',
  'network_burst',
] as const;
POLICY_SIGNALS satisfies readonly Signal[];
export type PolicySignal = (typeof POLICY_SIGNALS)[number];

export function isPolicySignal(name: string): name is PolicySignal {
  return POLICY_SIGNALS.some((signal) => signal === name);
}

/** What a signal does. Absent: it is only reported. */
export type SignalActions = Partial<Record<PolicySignal, 'flag'>>;
