import type { RULE_FACTS, RuleFactName } from '@postern/contract/rules';

type FactOfType<Type> = {
  [Name in RuleFactName]: (typeof RULE_FACTS)[Name]['type'] extends Type ? Name : never;
}[RuleFactName];

/** How a sentence states each boolean fact: if it is true, and if it is false. */
export const TRUE_OR_FALSE: Readonly<Record<FactOfType<'bool'>, readonly [yes: string, no: string]>> = {
  'email.role': [
    'the address stands for a function, not a person',
    'the address does not stand for a function',
  ],
  'email.tagged': ['the address carries a tag', 'the address carries no tag'],
  'email.relay': ['the address belongs to a privacy relay', 'the address does not belong to a privacy relay'],
  'ip.known': ['the IP address is known', 'the IP address is not known'],
  'device.known': ['the request carries a fingerprint', 'the request carries no fingerprint'],
  'device.automated': ['the browser is automated', 'the browser is not automated'],
  'device.reused': [
    'another inbox has signed up from the device before',
    'no other inbox has signed up from the device before',
  ],
  'device.overThreshold': [
    'at least as many other inboxes as the policy’s threshold have signed up from the device',
    'fewer other inboxes than the policy’s threshold have signed up from the device',
  ],
  'inbox.reused': [
    'the same inbox came before under another spelling',
    'the same inbox did not come before under another spelling',
  ],
};

/** How a sentence names each other fact, before it gives the value. */
export const SUBJECTS: Readonly<Record<FactOfType<'string' | 'int' | 'list'>, string>> = {
  'email.domain': 'the domain',
  'email.registrable': 'the registered domain',
  'email.tld': 'the domain’s last label',
  'email.class': 'the domain’s class',
  'email.shape': 'the shape of the name before the @',
  'ip.kind': 'the kind of IP address',
  'ip.country': 'the country',
  'ip.asn': 'the operator’s AS number',
  'ip.network': 'the operator’s name',
  'ip.range': 'the IP range',
  'device.hash': 'the device',
  'inbox.hash': 'the person',
  signals: 'the signals',
  failed: 'the failed checks',
  'key.type': 'the type of the key',
  'time.hour': 'the hour (UTC)',
  'time.weekday': 'the weekday (UTC, Monday is 1)',
  'activity.network': 'the number of new inboxes from the network within the last hour',
  'activity.domain': 'the number of new inboxes at the domain within the last hour',
};
