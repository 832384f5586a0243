import type { CheckActions, KeyType } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import type { CheckRuns, Checks } from '../checks/run-checks.ts';
import type { OwnDecision } from '../decision/own-decision.ts';
import type { Inbox } from '../model/inbox.ts';
import type { Project } from '../model/project.ts';
import { whenReady } from '../model/when-ready.ts';
import type { ValidationRecord } from '../store/store.ts';
import { gatherFacts } from './gather-facts.ts';
import { historyEffects } from './history-effects.ts';
import { historyQuery } from './history-query.ts';
import { type WrittenChecks, writeChecks } from './json/checks-json.ts';
import { judgeOwn, type OwnParts } from './judge-own.ts';
import { logRecord } from './log-record.ts';
import { loggedDomain } from './mask-address.ts';

export interface RecordParts extends OwnParts {
  readonly checks: Checks;
}

/** A validation whose checks have run, before anything is counted. */
export interface InspectedRequest {
  readonly requestId: string;
  readonly input: CheckInput;
  readonly keyType: KeyType;
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
  /** What the project’s lists and rules say. */
  readonly own: OwnDecision;
}

/** Everything that the store will need, so that one transaction can count, remember and log the request. */
export function prepareRecord(
  parts: RecordParts,
  project: Project,
  { requestId, input, keyType, sdkVersion, runs, actions, latencyMs }: InspectedRequest,
): PreparedRecord | Promise<PreparedRecord> {
  const { checks, keyedHash } = parts;
  const written = writeChecks(runs);
  const withInbox = (inbox: Inbox) =>
    whenReady(loggedDomain(input.address, input.mailRoute), (domain): PreparedRecord => {
      const query = historyQuery(input, inbox, project, keyedHash, keyType);
      const { inboxHash, device } = query;
      const hasDevice = device !== null;
      const facts = gatherFacts(checks, runs, input, inbox);
      const effects = historyEffects(checks, runs, hasDevice);
      const own = judgeOwn(parts, project, {
        input,
        inbox,
        keyType,
        domain,
        inboxHash,
        deviceHash: device?.deviceHash,
        facts,
        added: effects,
        hasDevice,
      });
      const log = logRecord({
        requestId,
        sdkVersion,
        input,
        domain,
        runs,
        written,
        actions,
        facts,
        effects,
        own,
        latencyMs,
      });
      // Written out: V8 reads an object slowly after a spread.
      const { spellingHash, claim, retentionMs } = query;
      const record = { inboxHash, spellingHash, claim, device, retentionMs, log };
      return { record, written, own };
    });
  return whenReady(input.inbox(), withInbox);
}
