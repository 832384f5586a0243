import { CHECK_METADATA, type CheckActions, type CheckName, type CheckResult } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import type { CheckRuns, Checks } from '../checks/run-checks.ts';
import { checkResults, roundMs } from '../decision/check-results.ts';
import { recommend } from '../decision/decide.ts';
import type { History } from '../model/history.ts';
import { maskIp } from '../model/ip-address.ts';
import type { LogRecord } from '../store/store.ts';
import { maskAddress } from './mask-address.ts';

export interface LogFacts {
  readonly requestId: string;
  readonly sdkVersion: string | undefined;
  readonly input: CheckInput;
  readonly runs: CheckRuns;
  readonly checks: Checks;
  readonly actions: CheckActions;
  readonly latencyMs: number;
}

const MAX_SDK_VERSION_LENGTH = 64;

/** What the log keeps of a validation, made before history is known: the store picks the outcome that applies. */
export function logRecord(facts: LogFacts): LogRecord {
  const { input, runs, actions } = facts;
  const failed: CheckName[] = [];
  const signals: string[] = [];
  for (const [name, run] of runs) {
    if (run.finding.outcome === 'failed') failed.push(name);
    if (run.finding.signals !== undefined) signals.push(...run.finding.signals);
  }
  return {
    requestId: facts.requestId,
    maskedAddress: maskAddress(input.address),
    domain: input.address.asciiDomain,
    maskedIp: input.ip === undefined ? null : maskIp(input.ip),
    sdkVersion: facts.sdkVersion?.slice(0, MAX_SDK_VERSION_LENGTH) ?? null,
    actions,
    failed,
    signals,
    checksJson: JSON.stringify(impersonal(checkResults(runs))),
    outcomes: outcomes(facts),
    latencyMs: roundMs(facts.latencyMs),
  };
}

/** The metadata fields of each check that can name a person. */
const PERSONAL_FIELDS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(CHECK_METADATA).map(([check, fields]) => [
    check,
    Object.entries(fields).flatMap(([name, field]) => ('personal' in field && field.personal ? [name] : [])),
  ]),
);

/** The results without what can name a person. */
function impersonal(results: ReturnType<typeof checkResults>): Record<string, CheckResult> {
  const kept: Record<string, CheckResult> = {};
  for (const [name, result] of Object.entries(results)) {
    const personal = PERSONAL_FIELDS.get(name);
    if (result.metadata === undefined || personal === undefined || personal.length === 0) kept[name] = result;
    else {
      const metadata = { ...result.metadata };
      for (const field of personal) delete metadata[field];
      kept[name] = { ...result, metadata };
    }
  }
  return kept;
}

const UNTOUCHED: NonNullable<History['device']> = {
  previousSignups: 0,
  otherAddresses: 0,
  networks: 0,
  overThreshold: false,
  common: false,
  firstSeen: null,
  lastSeen: null,
};
const INBOX_REUSED: History = { device: UNTOUCHED, inboxReused: true };
const DEVICE_OVER: History = { device: { ...UNTOUCHED, overThreshold: true }, inboxReused: false };

/** The recommendation for everything that history can say, in the order of `LogRecord.outcomes`. */
function outcomes({ checks, runs, input, actions }: LogFacts): LogRecord['outcomes'] {
  const failsOn = (name: CheckName, history: History): readonly CheckName[] => {
    const finding = runs.get(name)?.finding;
    const recalled = finding === undefined ? undefined : checks[name].recall?.(finding, history, input);
    return recalled?.outcome === 'failed' ? [name] : [];
  };
  const reused = failsOn('alias', INBOX_REUSED);
  const over = failsOn('device', DEVICE_OVER);
  return [
    recommend(runs, actions),
    recommend(runs, actions, reused),
    recommend(runs, actions, over),
    recommend(runs, actions, [...reused, ...over]),
  ];
}
