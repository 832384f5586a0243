import type { CheckActions, KeyType } from '@postern/contract';
import type { KeyMode } from '../model/api-key.ts';
import type { BrowserClass } from '../model/browser-class.ts';
import type { DomainClass } from '../model/domain-class.ts';
import type { FactsForRules } from '../model/facts-for-rules.ts';
import type { FoundBy } from '../model/finding.ts';
import type { History } from '../model/history.ts';
import type { Judgement } from '../model/judgement.ts';
import type { Listing } from '../model/list-value.ts';
import type { MailKind } from '../model/mail-facts.ts';
import type { Project } from '../model/project.ts';

/**
 * What one request counts against the project’s limits, and what is stored if it is admitted. The handler makes it, and
 * the store’s thread gets it as it is: plain JSON.
 */
export interface Submission {
  readonly projectId: string;
  readonly keyId: string;
  /** The versions that admitted the caller. If the store has others, nothing is counted: `stale`. */
  readonly projectVersion: number;
  readonly keyVersion: number;
  readonly keyType: KeyType;
  readonly mode: KeyMode;
  /** `outcomes` and `codes` (that are mailed) have hours of their own. Absent: the hour of the key’s type. */
  readonly lane?: 'outcomes' | 'codes' | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly rateLimit: number;
  /** The networks that a client key’s visitor may have alone, the smallest first; none when no visitor limit applies. */
  readonly visitors: readonly Visitor[];
  /** `false` if an earlier submission of the same request has already counted it. */
  readonly countRate: boolean;
  /** What this key may use of the month’s quota. */
  readonly quotaLimit: number;
  /** The project’s whole quota, where `quotaLimit` leaves out the reserve for server keys. */
  readonly wholeQuota?: number;
  /** `YYYY-MM` in UTC. */
  readonly month: string;
  /** `null` if the request only counts against the rate and reads the quota. */
  readonly validation: ValidationRecord | null;
}

/** A network that a client key’s request came from, and how many requests an hour it may make. */
export interface Visitor {
  /** A keyed hash, base64url. */
  readonly hash: string;
  readonly limit: number;
}

/** Who a request is about, and where it came from. The hashes are keyed, in base64url. */
export interface Sighting {
  /** The canonical inbox, and the spelling that reached it. */
  readonly inboxHash: string;
  readonly spellingHash: string;
  readonly deviceHash: string | null;
  /** `null` when the client’s address is not known. */
  readonly networkHash: string | null;
  /** A client key is public: what it says is only a claim until a backend confirms it. */
  readonly keyType: KeyType;
  readonly traits: Traits;
  /** How many of the device’s other inboxes are probably this person’s, mistyped. */
  readonly mistyped: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What people are compared by, and what they can share. */
export interface Traits {
  /** A keyed hash of the registrable domain. `null` if it is a provider’s, a relay’s or none at all. */
  readonly domain: string | null;
  /** A keyed hash of a mail host that is on no list. */
  readonly mailHost: string | null;
  /** Unrelated people share the network by design: a relay, a company’s gateway, a private range. */
  readonly sharesNetwork: boolean;
  readonly mail: MailKind;
  readonly browser: BrowserClass;
  /** See `CrowdPerson`, as for the next. */
  readonly hosting: boolean;
  readonly institution: boolean;
}

/** A validation to be counted against the quota, remembered, judged and logged. With a test key it is only logged. */
export interface ValidationRecord extends Sighting {
  /** What the checks found in the request alone, without metadata. */
  readonly found: readonly FoundBy[];
  readonly actions: CheckActions;
  /** The entry of the project’s own lists that covers the request. */
  readonly listing: Listing | null;
  /** Of a sandbox address, instead of the project’s own. */
  readonly simulatedHistory: History | null;
  readonly log: LogRecord;
  /** Its `Idempotency-Key` and its content, as keyed hashes. */
  readonly idempotency: { readonly keyHash: string; readonly requestHash: string } | null;
}

/** What the log keeps of a validation, besides its history and what was decided: nothing that names a person. */
export interface LogRecord {
  readonly requestId: string;
  readonly maskedAddress: string;
  readonly domain: string;
  readonly maskedIp: string | null;
  readonly country: string | null;
  readonly asn: number | null;
  /** The shape of the address’s name, such as `a99`; see `localPartShape`. */
  readonly shape: string | null;
  readonly sdkVersion: string | null;
  /** The checks’ results as JSON, see `readLoggedChecks`. Personal fields are left out. */
  readonly checksJson: string;
  /** What rules look at besides the rest of this. */
  readonly facts: FactsForRules;
  readonly latencyMs: number;
  /** For the statistics: the checks that ran, with commas between them, and the class of the domain. */
  readonly ran: string;
  readonly domainClass: DomainClass;
}

export type Settlement =
  /** The key or the project changed since it was read: read it again and retry. */
  | { readonly result: 'stale' }
  | {
      readonly result: 'rate-limited';
      /** Which limit refused the request. `rate` describes that limit. */
      readonly by: 'project' | 'visitor';
      readonly rate: RateState;
      readonly quota: QuotaState;
    }
  | { readonly result: 'quota-exceeded'; readonly rate: RateState; readonly quota: QuotaState }
  /** A request with the same `Idempotency-Key` was counted before. This one was not. */
  | { readonly result: 'repeated'; readonly rate: RateState; readonly quota: QuotaState }
  | {
      readonly result: 'admitted';
      readonly rate: RateState;
      readonly quota: QuotaState;
      /** `null` when there was no validation to record. */
      readonly validated: Validated | null;
    };

/** What the transaction that counted a validation found out. */
export interface Validated {
  /** The ID of its log row. */
  readonly logId: string;
  readonly history: History;
  readonly judgement: Judgement;
}

/** Decides a validation. `decision/judge.ts` has the only implementation; the store must not know it. */
export type Judge = (
  validation: ValidationRecord,
  project: Project,
  history: History,
  /** Hashes the name of an inbox as the log does. */
  hashInbox: (name: string) => string,
) => Judgement;

/** The sliding hour of one project and key type after this request. Test keys have a lane of their own. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds from which the whole limit is free again; now, when nothing is counted. */
  readonly resetAt: number;
  /** Whole seconds, at least 1, after which one more request would be admitted; 0 while one would be. */
  readonly retryAfter: number;
}

export interface QuotaState {
  readonly limit: number;
  readonly used: number;
}
