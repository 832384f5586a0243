import { type CheckName, type KeyType, signalFamily } from '@postern/contract';
import {
  CROWD_SPANS,
  CROWD_THINGS,
  type CrowdFactName,
  type RuleFactName,
  type RuleFacts,
} from '@postern/contract/rules';
import { domainClass } from '../../model/domain-class.ts';
import type { FactsForRules } from '../../model/facts-for-rules.ts';
import type { History } from '../../model/history.ts';
import { registrableDomain } from '../../model/registrable-domain.ts';

/** What rules look at, in the form that the log keeps. A request and its log row give the same facts. */
export interface LoggedFacts {
  /** With the address’s `loggedDomain`. */
  readonly log: {
    readonly facts: FactsForRules;
    readonly domain: string;
    readonly shape: string | null;
    readonly maskedIp: string | null;
    readonly country: string | null;
    readonly asn: number | null;
  };
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
  return new LazyFacts(logged, history) as unknown as RuleFacts;
}

/** Each fact is made when a rule asks for it: most rules look at two or three of them. */
class LazyFacts {
  readonly logged: LoggedFacts;
  readonly history: History;
  #registrable: string | undefined;
  #class: string | undefined;
  #signals: readonly string[] | undefined;

  constructor(logged: LoggedFacts, history: History) {
    this.logged = logged;
    this.history = history;
  }

  registrable(): string {
    this.#registrable ??= registrableDomain(this.logged.log.domain) ?? this.logged.log.domain;
    return this.#registrable;
  }

  class(): string {
    const { log, signals } = this.logged;
    this.#class ??= log.facts.disposable ? 'disposable' : domainClass(log.domain, signals);
    return this.#class;
  }

  signalFamilies(): readonly string[] {
    this.#signals ??= this.logged.signals.map(signalFamily);
    return this.#signals;
  }
}

type OwnFactName = Exclude<RuleFactName, CrowdFactName>;

const FACTS: { readonly [Name in OwnFactName]: (of: LazyFacts) => RuleFacts[Name] } = {
  'email.domain': ({ logged }) => logged.log.domain,
  'email.registrable': (of) => of.registrable(),
  'email.tld': ({ logged: { log } }) => log.domain.slice(log.domain.lastIndexOf('.') + 1),
  'email.class': (of) => of.class(),
  'email.shape': ({ logged }) => logged.log.shape ?? '',
  'email.role': ({ logged }) => logged.log.facts.role,
  'email.tagged': ({ logged }) => logged.log.facts.tagged,
  'email.relay': ({ logged }) => logged.log.facts.relay,
  'mail.kind': ({ logged }) => logged.log.facts.mailKind,
  'mail.host': ({ logged }) => logged.log.facts.mailHost,
  'mail.domainsMonth': ({ history }) => history.crowds?.mailHost?.domains ?? 0,
  'ip.known': ({ logged }) => logged.log.maskedIp !== null,
  'ip.kind': ({ logged }) => logged.log.facts.ipKind,
  'ip.country': ({ logged }) => logged.log.country ?? '',
  'ip.asn': ({ logged }) => logged.log.asn ?? 0,
  'ip.network': ({ logged }) => logged.log.facts.operator,
  'ip.range': ({ logged }) => logged.log.maskedIp ?? '',
  'device.known': ({ logged }) => logged.deviceHash !== null,
  'device.automated': ({ logged }) => logged.log.facts.automated,
  'device.reused': ({ history }) => (history.device?.otherAddresses ?? 0) > 0,
  'device.overThreshold': ({ history }) => history.device?.overThreshold ?? false,
  'device.hash': ({ logged }) => logged.deviceHash ?? '',
  'inbox.reused': ({ history }) => history.inboxReused,
  'inbox.hash': ({ logged }) => logged.inboxHash,
  signals: (of) => of.signalFamilies(),
  failed: ({ logged }) => logged.failed,
  'key.type': ({ logged }) => logged.keyType,
  'time.hour': ({ logged }) => Math.floor(logged.at / HOUR_MS) % 24,
  /** From Monday, 1, to Sunday. 1970 began on a Thursday. */
  'time.weekday': ({ logged }) => ((Math.floor(logged.at / (24 * HOUR_MS)) + 3) % 7) + 1,
  'agent.operator': ({ logged }) => logged.log.facts.agentOperator,
  'agent.verified': ({ logged }) => logged.log.facts.agentVerified,
  event: ({ logged }) => logged.log.facts.event,
};

function define<T>(name: RuleFactName, read: (of: LazyFacts) => T): void {
  Object.defineProperty(LazyFacts.prototype, name, {
    get(this: LazyFacts) {
      return read(this);
    },
  });
}

for (const [name, read] of Object.entries(FACTS)) define<unknown>(name as OwnFactName, read);
for (const thing of CROWD_THINGS)
  for (const [index, span] of CROWD_SPANS.entries())
    define(`crowd.${thing}.${span}`, ({ history }) => history.crowds?.[thing]?.counts[index] ?? 0);
