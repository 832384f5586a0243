import type { CheckName } from './checks.ts';
import { ruleSignal } from './rules.ts';
import type { CheckResult } from './validate-response.ts';

type Facts = Readonly<Record<string, unknown>>;

/** A check that could not tell passes, but it must not read like a check without findings. */
export type ResultKind = 'passed' | 'failed' | 'unknown';

export function resultKindOf({ pass, metadata }: CheckResult): ResultKind {
  if (!pass) return 'failed';
  return metadata?.status === 'unknown' ? 'unknown' : 'passed';
}

/**
 * What a check found, as clauses: which rule, which data. The command line and the dashboard show them. A logged result
 * has no personal fields, so every clause must do without them.
 */
export function explainCheck(
  name: CheckName,
  { pass, error, metadata = {} }: CheckResult,
): readonly string[] {
  const reason = metadata.status === 'unknown' && name !== 'mx' ? text(metadata.reason) : '';
  return [reason, ...EXPLANATIONS[name](metadata, pass, error)].filter((clause) => clause !== '');
}

type Explain = (facts: Facts, pass: boolean, error: string | undefined) => readonly string[];

const EXPLANATIONS: Readonly<Record<CheckName, Explain>> = {
  syntax: (facts, pass, error) => [
    pass ? `usable${facts.normalized === undefined ? '' : `, as ${text(facts.normalized)}`}` : (error ?? ''),
  ],
  disposable: (facts, _pass, error) => [
    disposableSource(facts, error),
    disposableEvidence(facts.evidence),
    disposableRule(facts),
    facts.parking === undefined ? '' : `parked at ${text(facts.parking)}`,
    turnedBad(facts.turnedBad),
  ],
  mx: (facts, pass, error) => [
    pass ? mailHosts(facts) : (error ?? ''),
    facts.suggestion === undefined ? '' : `did you mean ${text(facts.suggestion)}?`,
  ],
  roleEmail: (facts, pass) => [pass ? 'not a role address' : `is a role address: ${text(facts.role)}`],
  alias: (facts, _pass, error) => [error ?? '', inbox(facts)],
  device: (facts, pass, error) => [
    pass ? '' : (error ?? ''),
    facts.otherAddresses === undefined ? '' : `other addresses: ${text(facts.otherAddresses)}`,
  ],
  ip: (facts, _pass, error) => [error ?? '', network(facts)],
};

function disposableSource(facts: Facts, error: string | undefined): string {
  const matched = text(facts.matched);
  switch (facts.source) {
    case 'list':
      return `${matched} ${agreement(facts.agree)}, ${text(facts.confidence)} confidence`;
    case 'mx':
      return `mail goes to ${matched}, the host of a disposable email service`;
    case 'allow':
      return `${matched} is known to be an ordinary provider or company`;
    case 'relay':
      return `${matched} is a privacy relay`;
    case 'infrastructure':
      return `on no list, but shares ${matched} with listed domains`;
    default:
      return error ?? 'on no list';
  }
}

function agreement(agree: unknown): string {
  const { count, of } = (agree ?? {}) as { count?: number; of?: number };
  return count ? `is listed by ${count} of ${of} sources` : 'is on no list, but looks disposable';
}

function turnedBad(facts: unknown): string {
  if (facts === undefined) return '';
  const { bad, people } = facts as Facts;
  return `${text(bad)} of ${text(people)} people at this domain turned out bad`;
}

/** Why a rule fired, in words. */
const RULES: Readonly<Record<string, string>> = {
  'listed-elsewhere': 'the same name is listed under another ending',
  'service-word': 'its name has a word that disposable email services use',
  'borrowed-brand': 'its name contains the name of a mail provider',
  'mail-on-cheap-ending': 'its name has a mail word, with a very cheap ending',
  'mail-on-odd-ending': 'its name has a mail word, on an ending that mail providers do not use',
  'word-and-mail': 'its name is a word and “mail”, as one disposable email service makes them up',
  generated: 'its name looks generated',
  'short-subdomain': 'a random subdomain of one or two characters',
  'brand-subdomain': 'the name of a well-known service as a subdomain',
  'cheap-subdomain': 'a subdomain with a very cheap ending',
};

function disposableRule({ rule, evidence }: Facts): string {
  const { host } = (evidence ?? {}) as Facts;
  if (rule === 'free-host') return `under ${text(host)}, which gives away subdomains`;
  if (rule === 'sibling') return `under ${text(host)}, which has listed subdomains`;
  return rule === undefined ? '' : (RULES[text(rule)] ?? text(rule));
}

function disposableEvidence(evidence: unknown): string {
  const facts = (evidence ?? {}) as Facts;
  if (facts.kind === undefined) return '';
  return `${text(facts.kind)} of ${text(facts.listed)} listed and ${text(facts.unlisted)} other domains`;
}

const UNKNOWN_MAIL: Readonly<Record<string, string>> = {
  'resolver-offline': 'the resolver has no internet access',
  timeout: 'DNS did not answer in time',
  'server-failure': 'DNS could not tell',
  'not-asked': 'DNS was not asked',
  'no-resources': 'no file descriptor or memory was left to ask DNS',
};

function mailHosts({ status, reason, records, implicit }: Facts): string {
  if (status === 'unknown') return UNKNOWN_MAIL[text(reason)] ?? text(reason);
  const hosts = (Array.isArray(records) ? records : []).map(({ exchange }: { exchange?: unknown }) =>
    text(exchange),
  );
  if (implicit === true) return 'no mail host, but an address that receives mail';
  if (hosts.length === 0) return '';
  return `mail goes to ${hosts.slice(0, 3).join(', ')}${hosts.length > 3 ? ` and ${hosts.length - 3} more` : ''}`;
}

function inbox({ canonical, family, kind, provider }: Facts): string {
  if (kind === 'relay') return `forwarded by ${text(provider)}`;
  if (family !== undefined) return `possibly the inbox ${text(family)}`;
  if (kind === 'none' || kind === undefined) return 'its own inbox';
  const which =
    canonical === undefined ? 'an inbox that has other spellings' : `the inbox ${text(canonical)}`;
  return `${which}${provider === undefined ? '' : `, by ${text(provider)}’s rules`}`;
}

function network({ address, kind, asn, network: name, country }: Facts): string {
  const where = asn === undefined ? '' : ` in AS${text(asn)}${name === undefined ? '' : ` ${text(name)}`}`;
  const which = address === undefined ? 'the address' : text(address);
  if (kind === undefined) return '';
  return `${which} is ${text(kind)}${where}${country === undefined ? '' : `, ${text(country)}`}`;
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

/** What decides instead of the checks: the project’s block list, its allow list, or a rule. */
export function explainOwnDecision(
  signals: readonly string[],
  rule: { readonly id: string; readonly name: string } | null,
): string | undefined {
  if (signals.includes('block_listed')) return 'It is on the project’s block list';
  if (signals.includes('allow_listed')) return 'It is on the project’s allow list';
  return rule === null ? undefined : `The rule “${rule.name}” (${ruleSignal(rule.id)}) decides`;
}
