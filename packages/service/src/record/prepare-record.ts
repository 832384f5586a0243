import type { CheckActions } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import type { CheckRuns, Checks } from '../checks/run-checks.ts';
import { findListing, type Listing } from '../decision/own-lists.ts';
import type { Inbox } from '../model/inbox.ts';
import type { LookUpNetwork } from '../model/network-facts.ts';
import type { Project } from '../model/project.ts';
import { whenReady } from '../model/when-ready.ts';
import type { ValidationRecord } from '../store/store.ts';
import { historyQuery } from './history-query.ts';
import { type WrittenChecks, writeChecks } from './json/checks-json.ts';
import type { KeyedHash } from './keyed-hash.ts';
import { logRecord } from './log-record.ts';
import { loggedDomain } from './mask-address.ts';

export interface RecordParts {
  readonly checks: Checks;
  readonly keyedHash: KeyedHash;
  readonly network: LookUpNetwork;
}

/** A validation whose checks have run, before anything is counted. */
export interface InspectedRequest {
  readonly requestId: string;
  readonly input: CheckInput;
  readonly sdkVersion: string | undefined;
  readonly runs: CheckRuns;
  readonly actions: CheckActions;
  readonly latencyMs: number;
}

export interface PreparedRecord {
  /** What the store keeps. */
  readonly record: ValidationRecord;
  /** The checks’ results as JSON. The answer uses them too, so that they are written once. */
  readonly written: WrittenChecks;
  /** The entry of the project’s lists that decides. */
  readonly listing: Listing | undefined;
}

/** Everything that the store will need, so that one transaction can count, remember and log the request. */
export function prepareRecord(
  { checks, keyedHash, network }: RecordParts,
  project: Project,
  { requestId, input, sdkVersion, runs, actions, latencyMs }: InspectedRequest,
): PreparedRecord | Promise<PreparedRecord> {
  const written = writeChecks(runs);
  const withInbox = (inbox: Inbox) =>
    whenReady(loggedDomain(input.address, input.mailRoute), (domain): PreparedRecord => {
      const { inboxHash, spellingHash, device, retentionMs } = historyQuery(input, inbox, project, keyedHash);
      const asker = { input, inbox, person: inboxHash, device: device?.deviceHash };
      const listing = findListing(project, asker, network);
      const log = logRecord({
        requestId,
        sdkVersion,
        input,
        domain,
        runs,
        written,
        checks,
        actions,
        listing,
        latencyMs,
      });
      return { record: { inboxHash, spellingHash, device, retentionMs, log }, written, listing };
    });
  return whenReady(input.inbox(), withInbox);
}
