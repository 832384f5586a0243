import type { Signal } from '@postern/contract';
import type { CrowdThing } from '@postern/contract/rules';
import type { CrowdReason } from './crowds.ts';
import type { Finding } from './finding.ts';
import type { CrowdHistory, History } from './history.ts';

const SIGNAL_OF: Readonly<Record<CrowdThing, Signal>> = {
  domain: 'domain_crowd',
  mailHost: 'mail_host_crowd',
  network: 'network_crowd',
  device: 'device_crowd',
};

const NAME_OF: Readonly<Record<CrowdThing, string>> = {
  domain: 'at this domain',
  mailHost: 'on this domain’s mail server',
  network: 'from this network',
  device: 'with this browser',
};

/** What the history adds to the findings of the disposable check and the ip check. */
export const recallMail = (finding: Finding, history: History): Finding =>
  withCrowds(finding, ['domain', 'mailHost'], history);
export const recallNetwork = (finding: Finding, history: History): Finding =>
  withCrowds(finding, ['network'], history);

/** The finding after a look at the crowds of some things, the first of which gives the numbers. */
export function withCrowds(finding: Finding, things: readonly CrowdThing[], { crowds }: History): Finding {
  if (crowds === undefined) return finding;
  let found = finding;
  for (const thing of things) {
    const crowd = crowds[thing];
    if (crowd?.reason !== undefined) found = withCrowd(found, thing, crowd, crowd.reason);
  }
  return found;
}

function withCrowd(
  finding: Finding,
  thing: CrowdThing,
  { counts: [hour, day, week, month], since }: CrowdHistory,
  reason: CrowdReason,
): Finding {
  const learning = reason.learning === true;
  const metadata = {
    crowd: { hour, day, week, month },
    since: new Date(since).toISOString(),
    ...(learning && { learning }),
    ...finding.metadata,
  };
  if (learning) return { ...finding, metadata };
  const signals = [...(finding.signals ?? []), SIGNAL_OF[thing]];
  if (reason.watched === true) return { ...finding, signals, metadata };
  const sentence = describeCrowd(thing, reason);
  const before = finding.result === 'failed' ? finding : undefined;
  const flagsOnly = reason.flagsOnly === true && (before?.crowd?.flagsOnly ?? true);
  return {
    result: 'failed',
    error: before === undefined ? sentence : `${before.error}; ${sentence}`,
    ...(before?.atMost !== undefined && { atMost: before.atMost }),
    crowd: { alone: before?.crowd?.alone ?? before === undefined, flagsOnly },
    signals,
    metadata,
  };
}

/** The crowd in a sentence: `41 new people at this domain in 9 days, from 40 networks, 38 with one browser`. */
function describeCrowd(thing: CrowdThing, reason: CrowdReason): string {
  const { rule, people, days, networks, domains, sameBrowser } = reason;
  const within = days === 1 ? 'a day' : `${days} days`;
  const parts = [
    `${people} new ${people === 1 ? 'person' : 'people'} ${NAME_OF[thing]} in ${within}`,
    ...(thing !== 'network' && networks > 1 ? [`from ${networks} networks`] : []),
    ...(thing !== 'domain' && domains > 1 ? [`with ${domains} domains of their own`] : []),
    ...(thing !== 'device' && sameBrowser > 2 ? [`${sameBrowser} with one browser`] : []),
    ...(rule === 'rented-domain' ? ['its mail can be received without a mailbox for each'] : []),
    ...(rule === 'campaign-domain' ? ['while a campaign with such domains is under way'] : []),
  ];
  return parts.join(', ');
}
