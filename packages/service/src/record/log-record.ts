import type { Action, CheckActions, CheckName } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import { type CheckRuns, type Checks, runOf } from '../checks/run-checks.ts';
import { roundMs } from '../decision/check-results.ts';
import { recommend } from '../decision/decide.ts';
import { stronger } from '../decision/policy.ts';
import type { SerializedChecks } from '../decision/serialize-checks.ts';
import type { History } from '../model/history.ts';
import { maskIp } from '../model/ip-address.ts';
import type { LogRecord } from '../store/store.ts';
import { maskAddress } from './mask-address.ts';

export interface LogFacts {
  readonly requestId: string;
  readonly sdkVersion: string | undefined;
  readonly input: CheckInput;
  readonly runs: CheckRuns;
  readonly written: SerializedChecks;
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
  for (const { check, finding } of runs) {
    if (finding.outcome === 'failed') failed.push(check);
    if (finding.signals !== undefined) signals.push(...finding.signals);
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
    checksJson: facts.written.forLog(),
    outcomes: outcomes(facts),
    latencyMs: roundMs(facts.latencyMs),
  };
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
  const actionOn = (name: CheckName, history: History): Action => {
    const finding = runOf(runs, name)?.finding;
    const recalled = finding === undefined ? undefined : checks[name].recall?.(finding, history, input);
    return recalled?.outcome === 'failed' ? (actions[name] ?? 'allow') : 'allow';
  };
  const before = recommend(runs, actions);
  const reused = stronger(before, actionOn('alias', INBOX_REUSED));
  const over = actionOn('device', DEVICE_OVER);
  return [before, reused, stronger(before, over), stronger(reused, over)];
}
