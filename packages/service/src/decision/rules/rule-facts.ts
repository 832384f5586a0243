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

/** What the history made of a logged request. A request that is being judged has none yet, see `withHistory`. */
export interface LoggedHistory {
  readonly inboxReused: boolean;
  readonly deviceReused: boolean;
  readonly deviceOverThreshold: boolean;
}

const HOUR_MS = 3_600_000;

const NO_HISTORY: LoggedHistory = { inboxReused: false, deviceReused: false, deviceOverThreshold: false };

/** The facts of a request or its log row. */
export function ruleFacts(logged: LoggedFacts, history: LoggedHistory = NO_HISTORY): RuleFacts {
  return new LazyFacts(logged, history);
}

/** Each fact is made when a rule asks for it: most rules look at two or three of them. */
class LazyFacts implements RuleFacts {
  readonly #logged: LoggedFacts;
  readonly #history: LoggedHistory;
  #registrable: string | undefined;
  #class: string | undefined;
  #signals: readonly string[] | undefined;

  constructor(logged: LoggedFacts, history: LoggedHistory) {
    this.#logged = logged;
    this.#history = history;
  }

  get 'email.domain'() {
    return this.#logged.domain;
  }
  get 'email.registrable'() {
    this.#registrable ??= registrableDomain(this.#logged.domain) ?? this.#logged.domain;
    return this.#registrable;
  }
  get 'email.tld'() {
    const { domain } = this.#logged;
    return domain.slice(domain.lastIndexOf('.') + 1);
  }
  get 'email.class'() {
    const { facts, domain, signals } = this.#logged;
    this.#class ??= facts.disposable ? 'disposable' : domainClass(domain, signals);
    return this.#class;
  }
  get 'email.shape'() {
    return this.#logged.shape ?? '';
  }
  get 'email.role'() {
    return this.#logged.facts.role;
  }
  get 'email.tagged'() {
    return this.#logged.facts.tagged;
  }
  get 'email.relay'() {
    return this.#logged.facts.relay;
  }
  get 'ip.known'() {
    return this.#logged.maskedIp !== null;
  }
  get 'ip.kind'() {
    return this.#logged.facts.ipKind;
  }
  get 'ip.country'() {
    return this.#logged.country ?? '';
  }
  get 'ip.asn'() {
    return this.#logged.asn ?? 0;
  }
  get 'ip.network'() {
    return this.#logged.facts.operator;
  }
  get 'ip.range'() {
    return this.#logged.maskedIp ?? '';
  }
  get 'device.known'() {
    return this.#logged.deviceHash !== null;
  }
  get 'device.automated'() {
    return this.#logged.facts.automated;
  }
  get 'device.reused'() {
    return this.#history.deviceReused;
  }
  get 'device.overThreshold'() {
    return this.#history.deviceOverThreshold;
  }
  get 'device.hash'() {
    return this.#logged.deviceHash ?? '';
  }
  get 'inbox.reused'() {
    return this.#history.inboxReused;
  }
  get 'inbox.hash'() {
    return this.#logged.inboxHash;
  }
  get signals() {
    this.#signals ??= this.#logged.signals.map(signalFamily);
    return this.#signals;
  }
  get failed() {
    return this.#logged.failed;
  }
  get 'key.type'() {
    return this.#logged.keyType;
  }
  get 'time.hour'() {
    return Math.floor(this.#logged.at / HOUR_MS) % 24;
  }
  /** From Monday, 1, to Sunday. 1970 began on a Thursday. */
  get 'time.weekday'() {
    return ((Math.floor(this.#logged.at / (24 * HOUR_MS)) + 3) % 7) + 1;
  }
  get 'activity.network'() {
    return this.#logged.facts.networkActivity;
  }
  get 'activity.domain'() {
    return this.#logged.facts.domainActivity;
  }
}

/** What a fact of the history adds to the failed checks and to the signals. */
export interface AddedByHistory {
  readonly failed: readonly string[];
  readonly signals: readonly string[];
}

const INBOX_REUSED = bitOf('inboxReused');
const DEVICE_REUSED = bitOf('deviceReused');
const DEVICE_OVER_THRESHOLD = bitOf('deviceOverThreshold');

/** The facts that the history changes. */
export type HistoryFacts = Pick<
  RuleFacts,
  'inbox.reused' | 'device.reused' | 'device.overThreshold' | 'signals' | 'failed'
>;

/** What the history changes about the facts if it is this `historyState`. */
export function withHistory(facts: RuleFacts, state: number, added: readonly AddedByHistory[]): HistoryFacts {
  if (state === 0) return facts;
  const signals = [...facts.signals];
  const failed = [...facts.failed];
  for (const [fact, effect] of added.entries()) {
    if (((state >> fact) & 1) === 0) continue;
    signals.push(...effect.signals);
    failed.push(...effect.failed);
  }
  return {
    'inbox.reused': (state & INBOX_REUSED) !== 0,
    'device.reused': (state & DEVICE_REUSED) !== 0,
    'device.overThreshold': (state & DEVICE_OVER_THRESHOLD) !== 0,
    signals,
    failed,
  };
}

const STATE_OF_FACT = {
  'inbox.reused': INBOX_REUSED,
  'device.reused': DEVICE_REUSED,
  'device.overThreshold': DEVICE_OVER_THRESHOLD,
} as const;

/** Whether the history can change what an expression with this use gives. */
export function looksAtHistory({ facts, words }: Used): boolean {
  if (facts.has('signals') || facts.has('failed') || words.signals.size + words.failed.size > 0) return true;
  return Object.keys(STATE_OF_FACT).some((name) => facts.has(name));
}

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
