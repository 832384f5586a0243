import { CHECK_NAMES, type CheckName, type Recommendation, type Signal } from '@postern/contract';
import type { Check, Finding } from '../checks/check.ts';
import { type CheckRun, type Checks, runOf } from '../checks/run-checks.ts';
import { recommend } from '../decision/decide.ts';
import { type History, judgeDevice } from '../model/history.ts';
import type { ProjectPolicy } from '../model/project.ts';
import type { LogRow } from '../store/store.ts';
import { loggedRuns } from './validation-row.ts';

const LIST_SIGNALS: readonly string[] = ['allow_listed', 'block_listed'] satisfies Signal[];

/** What is replayed of a validation. Devices and networks count only as given or not. */
export type ReplayedRow = Pick<
  LogRow,
  'recommendation' | 'signals' | 'checksJson' | 'history' | 'deviceHash' | 'maskedIp'
>;

export interface Replayed {
  readonly recommendation: Recommendation;
  /** Checks of the policy for which the log has too little data. They count as passed. */
  readonly unknown: readonly CheckName[];
}

/**
 * Decides a logged validation again under another policy. The log has what each check found in the request itself, and
 * the history at that time; each check judges both again. If an entry of the project’s lists decided, the answer stays,
 * because lists override every policy.
 */
export function replay(checks: Checks, row: ReplayedRow, policy: ProjectPolicy): Replayed {
  if (row.signals.some((signal) => LIST_SIGNALS.includes(signal)))
    return { recommendation: row.recommendation, unknown: [] };
  const logged = loggedRuns(row);
  const history = historyUnder(row.history, policy);
  const runs: CheckRun[] = [];
  const unknown: CheckName[] = [];
  for (const name of CHECK_NAMES) {
    if (policy.actions[name] === undefined) continue;
    const finding = replayCheck(checks[name], runOf(logged, name)?.finding, history, policy);
    if (finding !== undefined) runs.push({ check: name, finding, latencyMs: 0 });
    else if (couldHaveRun(row, checks[name])) unknown.push(name);
  }
  return { recommendation: recommend(runs, policy.actions, policy, row.signals), unknown };
}

/** `undefined` when the check did not run then and history alone does not fail it. */
function replayCheck(
  check: Check,
  logged: Finding | undefined,
  history: History,
  policy: ProjectPolicy,
): Finding | undefined {
  const alone = check.replay ? check.replay(logged, history, policy) : logged;
  const recalled = check.recall?.(alone ?? { result: 'passed' }, history) ?? alone;
  return alone !== undefined || recalled?.result === 'failed' ? recalled : undefined;
}

function historyUnder({ device, inboxReused }: History, policy: ProjectPolicy): History {
  const terms = { threshold: policy.deviceThreshold, commonNetworks: policy.deviceCommonNetworks };
  return { device: device && { ...device, ...judgeDevice(device, terms) }, inboxReused };
}

/** Whether the request had the input that the check needs. */
function couldHaveRun(row: ReplayedRow, { needs }: Check): boolean {
  if (needs === 'fingerprintHash') return row.deviceHash !== null;
  return needs !== 'ip' || row.maskedIp !== null;
}
