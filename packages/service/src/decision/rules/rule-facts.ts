import { type CheckName, type KeyType, signalFamily } from '@postern/contract';
import type { RuleFacts } from '@postern/contract/rules';
import { domainClass } from '../../model/domain-class.ts';
import type { FactsForRules } from '../../model/facts-for-rules.ts';
import { bitOf } from '../../model/history.ts';
import { registrableDomain } from '../../model/registrable-domain.ts';

/** What rules look at, in the form that the log keeps. A request and its log row give the same facts. */
export interface LoggedFacts {
  readonly facts: FactsForRules;
  readonly domain: string;
  readonly shape: string | null;
  readonly maskedIp: string | null;
  readonly country: string | null;
  readonly asn: number | null;
  readonly deviceHash: string | null;
  readonly inboxHash: string;
  readonly keyType: KeyType;
  readonly at: number;
  readonly signals: readonly string[];
  readonly failed: readonly CheckName[];
}

/** The facts without the history, see `withHistory`. */
export function ruleFacts(logged: LoggedFacts): RuleFacts {
  const { facts, domain, maskedIp, deviceHash, signals } = logged;
  const at = new Date(logged.at);
  return {
    'email.domain': domain,
    'email.registrable': registrableDomain(domain) ?? domain,
    'email.tld': domain.slice(domain.lastIndexOf('.') + 1),
    'email.class': facts.disposable ? 'disposable' : domainClass(domain, signals),
    'email.shape': logged.shape ?? '',
    'email.role': facts.role,
    'email.tagged': facts.tagged,
    'email.relay': facts.relay,
    'ip.known': maskedIp !== null,
    'ip.kind': facts.ipKind,
    'ip.country': logged.country ?? '',
    'ip.asn': logged.asn ?? 0,
    'ip.network': facts.operator,
    'ip.range': maskedIp ?? '',
    'device.known': deviceHash !== null,
    'device.automated': facts.automated,
    'device.reused': false,
    'device.overThreshold': false,
    'device.hash': deviceHash ?? '',
    'inbox.reused': false,
    'inbox.hash': logged.inboxHash,
    signals: signals.map(signalFamily),
    failed: logged.failed,
    'key.type': logged.keyType,
    'time.hour': at.getUTCHours(),
    'time.weekday': ((at.getUTCDay() + 6) % 7) + 1,
    'activity.network': facts.networkActivity,
    'activity.domain': facts.domainActivity,
  };
}

/** What a fact of the history adds to the failed checks and to the signals. */
export interface AddedByHistory {
  readonly failed: readonly string[];
  readonly signals: readonly string[];
}

const INBOX_REUSED = bitOf('inboxReused');
const DEVICE_REUSED = bitOf('deviceReused');
const DEVICE_OVER_THRESHOLD = bitOf('deviceOverThreshold');

/** The facts of a request whose history is this `historyState`. */
export function withHistory(facts: RuleFacts, state: number, added: readonly AddedByHistory[]): RuleFacts {
  if (state === 0) return facts;
  const applying = added.filter((_, fact) => (state >> fact) & 1);
  return {
    ...facts,
    'inbox.reused': (state & INBOX_REUSED) !== 0,
    'device.reused': (state & DEVICE_REUSED) !== 0,
    'device.overThreshold': (state & DEVICE_OVER_THRESHOLD) !== 0,
    signals: [...facts.signals, ...applying.flatMap(({ signals }) => signals)],
    failed: [...facts.failed, ...applying.flatMap(({ failed }) => failed)],
  };
}

const STATE_OF_FACT = {
  'inbox.reused': INBOX_REUSED,
  'device.reused': DEVICE_REUSED,
  'device.overThreshold': DEVICE_OVER_THRESHOLD,
} as const;

interface Used {
  readonly facts: ReadonlySet<string>;
  readonly words: Readonly<Record<'signals' | 'failed', ReadonlySet<string>>>;
}

/** The facts of the history that can change what an expression with this use gives, as bits of `historyState`. */
export function historyBits({ facts, words }: Used, added: readonly AddedByHistory[]): number {
  let bits = 0;
  for (const [name, bit] of Object.entries(STATE_OF_FACT)) if (facts.has(name)) bits |= bit;
  for (const [fact, effect] of added.entries()) {
    for (const list of ['signals', 'failed'] as const) {
      const all = facts.has(list);
      if (effect[list].some((word) => all || words[list].has(word))) bits |= 1 << fact;
    }
  }
  return bits;
}
