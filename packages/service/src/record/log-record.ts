import type { CheckActions, CheckName } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import type { CheckRuns, Checks } from '../checks/run-checks.ts';
import { roundMs } from '../decision/check-results.ts';
import { type Listing, listingSignal } from '../decision/own-lists.ts';
import { domainClass } from '../model/domain-class.ts';
import { maskIp } from '../model/ip-address.ts';
import { localPartShape } from '../model/local-part-shape.ts';
import type { LogRecord } from '../store/store.ts';
import { historyEffects } from './history-effects.ts';
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
  readonly checks: Checks;
  readonly actions: CheckActions;
  /** The entry of the project’s lists that decided. */
  readonly listing?: Listing | undefined;
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
  const { input, domain, runs, actions } = facts;
  const failed: CheckName[] = [];
  const signals: string[] = [];
  for (const { check, finding } of runs) {
    if (finding.result === 'failed') failed.push(check);
    if (finding.signals !== undefined) signals.push(...finding.signals);
  }
  const { recommendations, effects } = historyEffects(
    facts.checks,
    runs,
    actions,
    input.fingerprintHash !== undefined,
    input.policy,
    facts.listing,
  );
  if (facts.listing !== undefined) signals.push(listingSignal(facts.listing));
  return {
    requestId: facts.requestId,
    maskedAddress: maskAddress(input.address, domain),
    domain,
    shape: input.address.quoted ? undefined : localPartShape(input.address.local),
    maskedIp: input.ip === undefined ? null : maskIp(input.ip),
    sdkVersion: facts.sdkVersion?.replace(NOT_IN_VERSIONS, '').slice(0, MAX_SDK_VERSION_LENGTH) ?? null,
    actions,
    failed,
    signals,
    checksJson: maskDomainIn(facts.written.forLog(), input.address, domain),
    recommendations,
    rules: NO_RULES,
    lists: NO_LISTS,
    effects,
    latencyMs: roundMs(facts.latencyMs),
    statistics: statisticsFacts(runs, domain, signals),
  };
}

function statisticsFacts(
  runs: CheckRuns,
  domain: string,
  signals: readonly string[],
): LogRecord['statistics'] {
  let ran = '';
  let ip: IpMetadata | undefined;
  for (const { check, finding } of runs) {
    ran += ran === '' ? check : `,${check}`;
    if (check === 'ip') ip = finding.metadata as IpMetadata | undefined;
  }
  return {
    ran,
    domainClass: domainClass(domain, signals),
    country: ip?.country,
    asn: ip?.asn,
    network: ip?.network,
  };
}

/** The fields of the IP check’s metadata that are counted. */
interface IpMetadata {
  readonly country?: string;
  readonly asn?: number;
  readonly network?: string;
}
