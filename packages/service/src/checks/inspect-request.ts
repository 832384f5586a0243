import type { CheckActions, CheckName } from '@postern/contract';
import type { KeyMode } from '../model/api-key.ts';
import type { History } from '../model/history.ts';
import { whenReady } from '../model/when-ready.ts';
import type { CheckInput } from './check.ts';
import { recallChecks } from './recall-checks.ts';
import { type CheckRuns, type Checks, type RunOptions, runChecks } from './run-checks.ts';

/** What the checks found in a request. */
export interface Inspection {
  readonly runs: CheckRuns;
  readonly actions: CheckActions;
  /** The runs with the project’s history added. */
  readonly recall: (history: History | null) => CheckRuns;
  /** The history that a sandbox address simulates, instead of the project’s. */
  readonly simulatedHistory: History | undefined;
  /** The limit that a sandbox address simulates. */
  readonly simulatedLimit: 'quota' | 'rate' | undefined;
}

export type InspectRequest = (
  request: {
    readonly input: CheckInput;
    readonly names: readonly CheckName[];
    readonly actions: CheckActions;
  },
  mode: KeyMode,
) => Inspection | Promise<Inspection>;

/** Runs a request’s checks. */
export function createInspectRequest(checks: Checks, options: RunOptions): InspectRequest {
  return ({ input, names, actions }) =>
    whenReady(runChecks(checks, names, input, options), (runs) => ({
      runs,
      actions,
      recall: (history) => (history === null ? runs : recallChecks(runs, history)),
      simulatedHistory: undefined,
      simulatedLimit: undefined,
    }));
}
