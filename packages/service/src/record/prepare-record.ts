import type { CheckActions, KeyType } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import type { CheckRuns, Checks } from '../checks/run-checks.ts';
import { roundMs } from '../decision/check-results.ts';
import { findListing, listingSignal, type OwnLists } from '../decision/own-lists.ts';
import { browserClass } from '../model/browser-class.ts';
import { domainClass } from '../model/domain-class.ts';
import type { Finding } from '../model/finding.ts';
import type { History } from '../model/history.ts';
import type { Inbox } from '../model/inbox.ts';
import { networkOf } from '../model/ip-address.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import type { MailFacts } from '../model/mail-facts.ts';
import { mailFacts } from '../model/mail-host-facts.ts';
import type { MailRoute } from '../model/mail-route.ts';
import type { LookUpNetwork } from '../model/network-facts.ts';
import { registrableDomain } from '../model/registrable-domain.ts';
import { whenReady } from '../model/when-ready.ts';
import type { Traits, ValidationRecord } from '../store/submission.ts';
import { gatherFacts } from './gather-facts.ts';
import { type WrittenChecks, writeChecks } from './json/checks-json.ts';
import { loggedDomain, maskAddress, maskDomainIn } from './mask-address.ts';

export interface RecordParts {
  readonly checks: Checks;
  readonly network: LookUpNetwork;
  readonly keyedHash: KeyedHash;
}

/** A validation whose checks have run, before anything is counted. */
export interface InspectedRequest {
  readonly requestId: string;
  readonly input: CheckInput;
  readonly keyType: KeyType;
  readonly sdkVersion: string | undefined;
  readonly event: string;
  /** The program that acts for the person. */
  readonly agent?: { readonly operator: string; readonly verified: boolean } | undefined;
  readonly runs: CheckRuns;
  readonly actions: CheckActions;
  readonly latencyMs: number;
  /** What a sandbox address pretends that the project has seen. */
  readonly simulatedHistory?: History | undefined;
  readonly idempotency?: ValidationRecord['idempotency'] | undefined;
}

export interface PreparedRecord {
  /** What the store judges and keeps. */
  readonly record: ValidationRecord;
  /** The checks’ results as JSON. The answer uses them too, so that they are written once. */
  readonly written: WrittenChecks;
}

const MAX_SDK_VERSION_LENGTH = 64;
/** Anybody who has the client key can choose this text, and it is shown in tables and opened in spreadsheets. */
const NOT_IN_VERSIONS = /[^A-Za-z0-9._/@+ -]/g;

/**
 * Everything that the store needs, so that one transaction can count, judge, remember and log the request. Personal
 * values are hashes that only this instance can compute. The fields are written out: after a spread, V8 would add fields in
 * its slow path, and read the object slowly afterwards.
 */
export function prepareRecord(
  parts: RecordParts,
  lists: OwnLists,
  request: InspectedRequest,
): PreparedRecord | Promise<PreparedRecord> {
  const { keyedHash } = parts;
  const { input, runs, actions, keyType } = request;
  const written = writeChecks(runs);
  const prepare = (inbox: Inbox, route: MailRoute, domain: string): PreparedRecord => {
    const { address, fingerprintHash, ip } = input;
    const mail = mailFacts(address.asciiDomain, route);
    const inboxHash = keyedHash('inbox', inbox.canonical);
    const device = fingerprintHash === undefined ? undefined : keyedHash('device', fingerprintHash);
    const facts = gatherFacts(parts.checks, request, inbox, mail);
    const asker = { input, inbox, person: inboxHash, mailHost: mail.host, device };
    const listing = findListing(lists, asker, parts.network);
    const signals = listing === null ? facts.signals : [...facts.signals, listingSignal(listing)];
    const record: ValidationRecord = {
      inboxHash,
      // Most people write the inbox’s canonical name. It needs no second hash: it already differs from other spellings.
      spellingHash:
        address.normalized === inbox.canonical ? inboxHash : keyedHash('spelling', address.normalized),
      deviceHash: device ?? null,
      networkHash: ip === undefined ? null : keyedHash('network', networkOf(ip)),
      traits: traitsOf(keyedHash, input, mail, facts.traits),
      keyType,
      // A backend asks only once the form was sent, so it never sees what people mistype.
      mistyped: keyType === 'client' ? (input.activity?.mistyped(inboxHash) ?? 0) : 0,
      now: Math.floor(input.now),
      found: runs.map(({ check, finding }) => ({ check, finding: forDecision(finding) })),
      actions,
      listing,
      simulatedHistory: request.simulatedHistory ?? null,
      log: {
        requestId: request.requestId,
        maskedAddress: maskAddress(address, domain),
        domain,
        maskedIp: facts.maskedIp,
        country: facts.country ?? null,
        asn: facts.asn ?? null,
        shape: facts.shape ?? null,
        sdkVersion: request.sdkVersion?.replace(NOT_IN_VERSIONS, '').slice(0, MAX_SDK_VERSION_LENGTH) ?? null,
        checksJson: maskDomainIn(written.forLog(), address, domain),
        facts: facts.forRules,
        latencyMs: roundMs(request.latencyMs),
        ran: runs.map(({ check }) => check).join(','),
        domainClass: domainClass(domain, signals),
      },
      idempotency: request.idempotency ?? null,
    };
    return { record, written };
  };
  // If a check needed DNS, its answer is already here.
  return whenReady(input.inbox(), (inbox) =>
    whenReady(input.mailRoute(), (route) =>
      whenReady(
        loggedDomain(input.address, () => route),
        (domain) => prepare(inbox, route, domain),
      ),
    ),
  );
}

/** What people are compared by. A provider’s domain is left out, because strangers share it. */
function traitsOf(
  keyedHash: KeyedHash,
  { address, userAgent }: CheckInput,
  mail: MailFacts,
  gathered: Pick<Traits, 'sharesNetwork' | 'hosting' | 'institution'>,
): Traits {
  const domain =
    mail.kind === 'provider' || address.literal ? undefined : registrableDomain(address.asciiDomain);
  const host = mail.kind === 'own' ? (mail.address ?? mail.host) : undefined;
  return {
    domain: domain === undefined ? null : keyedHash('domain', domain),
    mailHost: host === undefined ? null : keyedHash('mail-host', host),
    sharesNetwork: gathered.sharesNetwork,
    mail: mail.kind,
    browser: browserClass(userAgent),
    hosting: gathered.hosting,
    institution: gathered.institution,
  };
}

/** What the decision looks at: no metadata and no texts, which only the answer needs. */
function forDecision(finding: Finding): Finding {
  const { signals } = finding;
  switch (finding.result) {
    case 'passed':
      return signals === undefined ? PASSED : { result: 'passed', signals };
    case 'failed':
      return {
        result: 'failed',
        error: '',
        ...(signals !== undefined && { signals }),
        ...(finding.atMost !== undefined && { atMost: finding.atMost }),
      };
    case 'unknown':
      return { result: 'unknown', reason: '', ...(signals !== undefined && { signals }) };
  }
}

const PASSED: Finding = { result: 'passed' };
