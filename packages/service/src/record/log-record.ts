import type { CheckActions } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import type { CheckRuns } from '../checks/run-checks.ts';
import { roundMs } from '../decision/check-results.ts';
import { matchedRules, type OwnDecision } from '../decision/own-decision.ts';
import { listingSignal, listingWord } from '../decision/own-lists.ts';
import { domainClass } from '../model/domain-class.ts';
import type { FactsForRules } from '../model/facts-for-rules.ts';
import type { LogRecord } from '../store/store.ts';
import type { ColumnFacts } from './gather-facts.ts';
import { historyRecommendations, type RecalledEffect } from './history-effects.ts';
import type { WrittenChecks } from './json/checks-json.ts';
import { maskAddress, maskDomainIn } from './mask-address.ts';

export interface LogFacts {
  readonly requestId: string;
  readonly sdkVersion: string | undefined;
  readonly input: CheckInput;
  /** The address’s `loggedDomain`. */
  readonly domain: string;
  readonly runs: CheckRuns;
  readonly written: WrittenChecks;
  readonly actions: CheckActions;
  readonly facts: FactsForRules & ColumnFacts;
  /** What each fact of the history adds. */
  readonly effects: readonly RecalledEffect[];
  /** What the project’s lists and rules say. */
  readonly own: OwnDecision;
  readonly latencyMs: number;
}

const MAX_SDK_VERSION_LENGTH = 64;
/** Anybody with the client key chooses the text, and people read it in tables and spreadsheets. */
const NOT_IN_VERSIONS = /[^A-Za-z0-9._/@+ -]/g;

/** Whatever the history, nothing matched. */
const NO_RULES: LogRecord['rules'] = [{ live: [], shadow: [] }];
const NO_LISTS: LogRecord['lists'] = [[]];

/**
 * What the log keeps of a validation. It is built before the history is read. The store adds what history changes.
 * Fields are written out: V8 adds a field after a spread in its slow path, and reads the object slowly afterwards.
 */
export function logRecord(facts: LogFacts): LogRecord {
  const { input, domain, runs, actions, own, effects } = facts;
  const { failed, signals: ofChecks } = facts.facts;
  const signals = own.listing === undefined ? ofChecks : [...ofChecks, listingSignal(own.listing)];
  return {
    requestId: facts.requestId,
    maskedAddress: maskAddress(input.address, domain),
    domain,
    shape: facts.facts.shape,
    maskedIp: facts.facts.maskedIp,
    sdkVersion: facts.sdkVersion?.replace(NOT_IN_VERSIONS, '').slice(0, MAX_SDK_VERSION_LENGTH) ?? null,
    actions,
    failed,
    signals,
    checksJson: maskDomainIn(facts.written.forLog(), input.address, domain),
    recommendations: historyRecommendations(runs, actions, effects, input.policy, own),
    rules: own.matches.length === 0 ? NO_RULES : matchedRules(own),
    lists: own.listing === undefined ? NO_LISTS : [[listingWord(own.listing)]],
    facts: facts.facts,
    effects,
    latencyMs: roundMs(facts.latencyMs),
    statistics: statisticsFacts(runs, domain, signals, facts.facts),
  };
}

function statisticsFacts(
  runs: CheckRuns,
  domain: string,
  signals: readonly string[],
  { country, asn, operator }: FactsForRules & ColumnFacts,
): LogRecord['statistics'] {
  let ran = '';
  for (const { check } of runs) ran += ran === '' ? check : `,${check}`;
  return {
    ran,
    domainClass: domainClass(domain, signals),
    country,
    asn,
    network: operator === '' ? undefined : operator,
  };
}
