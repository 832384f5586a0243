import { CHECK_NAMES, type CheckName, type Recommendation } from '@postern/contract';
import type { CheckRun } from '../checks/run-checks.ts';
import { recommend } from '../decision/decide.ts';
import type { ProjectPolicy } from '../model/project.ts';
import type { LogRow } from '../store/store.ts';
import { type LoggedResults, loggedResults } from './validation-row.ts';

export interface Replayed {
  readonly recommendation: Recommendation;
  /** Checks that the policy asks for and that the log knows too little about. They are taken as passed. */
  readonly unknown: readonly CheckName[];
}

/**
 * Decides a logged validation again under another policy, from what the log kept: what each check found on the
 * request alone, and what history said. Thresholds and relays are applied anew; the lists, which changed what
 * was found, are not.
 */
export function replay(row: LogRow, policy: ProjectPolicy): Replayed {
  const results = loggedResults(row);
  const runs: CheckRun[] = [];
  const unknown: CheckName[] = [];
  for (const name of CHECK_NAMES) {
    if (policy.actions[name] === undefined) continue;
    const failed = FAILED[name]?.(row, results, policy) ?? failedAlone(results, name);
    if (failed === undefined) {
      if (couldHaveRun(row, name)) unknown.push(name);
      continue;
    }
    const finding = failed ? ({ outcome: 'failed', error: '' } as const) : ({ outcome: 'passed' } as const);
    runs.push({ check: name, finding, latencyMs: 0 });
  }
  return { recommendation: recommend(runs, policy.actions), unknown };
}

/** `undefined`: the check did not run. */
function failedAlone(results: LoggedResults, name: CheckName): boolean | undefined {
  const result = results[name];
  return result === undefined ? undefined : !result.pass;
}

type Judge = (row: LogRow, results: LoggedResults, policy: ProjectPolicy) => boolean | undefined;

/** The checks whose finding depends on more than the request. */
const FAILED: Partial<Record<CheckName, Judge>> = {
  // History was kept whether or not the check ran, so that a threshold can be tried on all of it.
  device: ({ history: { device } }, _results, { deviceThreshold, deviceCommonNetworks }) =>
    device === null
      ? undefined
      : device.otherAddresses >= deviceThreshold && device.networks < deviceCommonNetworks,
  alias: ({ history }, { alias }, { relays }) => {
    if (history.inboxReused) return true;
    if (alias === undefined) return undefined;
    return alias.metadata?.kind === 'relay' ? relays === 'fail' : !alias.pass;
  },
};

/** Without a fingerprint or an address there was nothing for these to look at, and there would not be now. */
function couldHaveRun(row: LogRow, name: CheckName): boolean {
  if (name === 'device') return row.deviceHash !== null;
  return name !== 'ip' || row.maskedIp !== null;
}
