import { CROWD_SPANS, CROWD_THINGS, type CrowdFactName, type RuleFactName } from '@postern/contract/rules';
import type { Run } from './rule-context.ts';

/**
 * How compiled code reads each fact. One function for all of them, with the name as its parameter, takes several times as long: V8
 * remembers where a property is for each place in the source, and gives up at places that read many of them.
 */
export const READ_FACT: Readonly<Record<RuleFactName, Run>> = {
  'email.domain': ({ facts }) => facts['email.domain'],
  'email.registrable': ({ facts }) => facts['email.registrable'],
  'email.tld': ({ facts }) => facts['email.tld'],
  'email.class': ({ facts }) => facts['email.class'],
  'email.shape': ({ facts }) => facts['email.shape'],
  'email.role': ({ facts }) => facts['email.role'],
  'email.tagged': ({ facts }) => facts['email.tagged'],
  'email.relay': ({ facts }) => facts['email.relay'],
  'mail.kind': ({ facts }) => facts['mail.kind'],
  'mail.host': ({ facts }) => facts['mail.host'],
  'mail.domainsMonth': ({ facts }) => facts['mail.domainsMonth'],
  'ip.known': ({ facts }) => facts['ip.known'],
  'ip.kind': ({ facts }) => facts['ip.kind'],
  'ip.country': ({ facts }) => facts['ip.country'],
  'ip.asn': ({ facts }) => facts['ip.asn'],
  'ip.network': ({ facts }) => facts['ip.network'],
  'ip.range': ({ facts }) => facts['ip.range'],
  'device.known': ({ facts }) => facts['device.known'],
  'device.automated': ({ facts }) => facts['device.automated'],
  'device.hash': ({ facts }) => facts['device.hash'],
  'inbox.hash': ({ facts }) => facts['inbox.hash'],
  'key.type': ({ facts }) => facts['key.type'],
  'time.hour': ({ facts }) => facts['time.hour'],
  'time.weekday': ({ facts }) => facts['time.weekday'],
  'device.reused': ({ facts }) => facts['device.reused'],
  'device.overThreshold': ({ facts }) => facts['device.overThreshold'],
  'inbox.reused': ({ facts }) => facts['inbox.reused'],
  'agent.operator': ({ facts }) => facts['agent.operator'],
  'agent.verified': ({ facts }) => facts['agent.verified'],
  event: ({ facts }) => facts.event,
  signals: ({ facts }) => facts.signals,
  failed: ({ facts }) => facts.failed,
  ...readCrowdFacts(),
};

function readCrowdFacts() {
  const names = CROWD_THINGS.flatMap((thing) => CROWD_SPANS.map((span) => `crowd.${thing}.${span}` as const));
  const read =
    (name: CrowdFactName): Run =>
    ({ facts }) =>
      facts[name];
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<CrowdFactName, Run>;
}
