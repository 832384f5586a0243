import type { CheckName, CheckResult } from '@postern/contract';
import type {
  PersonJudgement,
  SharedThing,
  ValidationDetail,
  ValidationRow,
} from '@postern/contract/dashboard';
import type { Finding } from '../checks/check.ts';
import { recallChecks } from '../checks/recall-checks.ts';
import type { CheckRuns } from '../checks/run-checks.ts';
import { checkResults } from '../decision/check-results.ts';
import { isMailProvider } from '../model/mail-providers.ts';
import { readLoggedChecks } from '../record/json/checks-json.ts';
import type { LogRow } from '../store/store.ts';
import { readableAddress } from './readable-domain.ts';

/** A row of the log as the dashboard shows it. */
export function validationRow(row: LogRow): ValidationRow {
  return {
    id: row.id,
    at: row.at,
    requestId: row.requestId,
    keyType: row.keyType,
    mode: row.mode,
    maskedAddress: readableAddress(row.maskedAddress),
    domain: row.domain,
    mailProvider: isMailProvider(row.domain),
    maskedIp: row.maskedIp,
    sdkVersion: row.sdkVersion,
    device: row.deviceHash,
    inbox: row.inboxHash,
    recommendation: row.recommendation,
    stepUp: row.steppedUp && { kind: row.steppedUp, result: 'passed' },
    failed: [...row.failed],
    signals: [...row.signals],
    rules: [...row.rules],
    shadowRules: [...row.shadowRules],
    lists: [...row.lists],
    country: row.country,
    asn: row.asn,
    operator: operatorOf(row),
    deviceInboxes: row.deviceHash === null ? null : (row.history.device?.otherAddresses ?? 0),
    outcome: null,
    latencyMs: row.latencyMs,
  };
}

/** Who operates the network, as the IP check knew then. */
export function operatorOf({ facts }: Pick<LogRow, 'facts'>): string | null {
  return facts.operator === '' ? null : facts.operator;
}

export function validationDetail(
  row: LogRow,
  judgement: PersonJudgement | null,
  shared: SharedThing[],
): ValidationDetail {
  return {
    ...validationRow(row),
    outcome: judgement?.outcome ?? null,
    actions: row.actions,
    judgement,
    checks: checkResults(recallChecks(loggedRuns(row), row.history)),
    shared,
  };
}

/** What the checks found in the request alone. The log keeps that, and the history separately. */
export function loggedRuns(row: Pick<LogRow, 'checksJson'>): CheckRuns {
  return Object.entries(readLoggedChecks(row.checksJson)).map(([name, result]) => ({
    check: name as CheckName,
    finding: findingOf(result),
    latencyMs: result.latency,
  }));
}

function findingOf({ pass, error, metadata }: CheckResult): Finding {
  const facts = metadata === undefined ? {} : { metadata };
  if (metadata?.status === 'unknown') return { result: 'unknown', reason: String(metadata.reason), ...facts };
  return pass ? { result: 'passed', ...facts } : { result: 'failed', error: error ?? '', ...facts };
}
