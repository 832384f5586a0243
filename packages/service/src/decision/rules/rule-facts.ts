import { type CheckName, type KeyType, signalFamily } from '@postern/contract';
import {
  CROWD_SPANS,
  CROWD_THINGS,
  type CrowdFactName,
  type CrowdThing,
  type RuleFacts,
} from '@postern/contract/rules';
import { domainClass } from '../../model/domain-class.ts';
import type { FactsForRules } from '../../model/facts-for-rules.ts';
import type { History } from '../../model/history.ts';
import { registrableDomain } from '../../model/registrable-domain.ts';

/** What rules look at, in the form that the log keeps. A request and its log row give the same facts. */
export interface LoggedFacts {
  readonly facts: FactsForRules;
  /** The address’s `loggedDomain`. */
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

const HOUR_MS = 3_600_000;

/** The facts of a request or its log row. */
export function ruleFacts(logged: LoggedFacts, history: History): RuleFacts {
  return new LazyFacts(logged, history) as LazyFacts & Pick<RuleFacts, CrowdFactName>;
}

/** Each fact is made when a rule asks for it: most rules look at two or three of them. */
class LazyFacts implements Omit<RuleFacts, CrowdFactName> {
  readonly #logged: LoggedFacts;
  readonly #history: History;
  #registrable: string | undefined;
  #class: string | undefined;
  #signals: readonly string[] | undefined;

  constructor(logged: LoggedFacts, history: History) {
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
  get 'mail.kind'() {
    return this.#logged.facts.mailKind;
  }
  get 'mail.host'() {
    return this.#logged.facts.mailHost;
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
    return (this.#history.device?.otherAddresses ?? 0) > 0;
  }
  get 'device.overThreshold'() {
    return this.#history.device?.overThreshold ?? false;
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
  get 'agent.operator'() {
    return this.#logged.facts.agentOperator;
  }
  get 'agent.verified'() {
    return this.#logged.facts.agentVerified;
  }
  get event() {
    return this.#logged.facts.event;
  }
  get 'mail.domainsMonth'() {
    return this.#history.crowds?.mailHost?.domains ?? 0;
  }
  crowd(thing: CrowdThing, span: number): number {
    return this.#history.crowds?.[thing]?.counts[span] ?? 0;
  }
}

for (const thing of CROWD_THINGS)
  for (const [index, span] of CROWD_SPANS.entries())
    Object.defineProperty(LazyFacts.prototype, `crowd.${thing}.${span}`, {
      get(this: LazyFacts) {
        return this.crowd(thing, index);
      },
    });
