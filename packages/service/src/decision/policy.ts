import {
  ACTIONS,
  type Action,
  CHECK_NAMES,
  type CheckActions,
  type CheckName,
  type KeyType,
} from '@postern/contract';
import { type CheckInput, hasInput } from '../checks/check.ts';
import { type CheckRuns, type Checks, runOf } from '../checks/run-checks.ts';
import type { ProjectPolicy } from '../model/project.ts';

/** Which checks run for this request, and with which action. */
export function effectiveActions(
  policy: ProjectPolicy,
  validations: CheckActions | undefined,
  keyType: KeyType,
): CheckActions {
  if (validations === undefined || Object.keys(validations).length === 0) return policy.actions;
  const overrides = keyType === 'client' ? policy.clientOverrides : 'allow';
  if (overrides === 'ignore') return policy.actions;
  return overrides === 'tighten' ? tightened(policy.actions, validations) : validations;
}

/** Whether a request asked for less than the policy requires: it left out a check or asked for a weaker action. */
export function isWeakerThan(actions: CheckActions, policyActions: CheckActions): boolean {
  if (actions === policyActions) return false;
  return CHECK_NAMES.some((name) => raised(policyActions[name], actions[name]) !== actions[name]);
}

/** Checks of the policy that did not run because the request lacked their input. */
export function checksWithoutInput(
  checks: Checks,
  policyActions: CheckActions,
  runs: CheckRuns,
  input: CheckInput,
): CheckName[] {
  return CHECK_NAMES.filter(
    (name) =>
      policyActions[name] !== undefined && !hasInput(checks[name], input) && runOf(runs, name) === undefined,
  );
}

/**
 * A client key is public. Under `tighten` a page can add checks and raise actions, but cannot remove or lower anything.
 */
function tightened(actions: CheckActions, validations: CheckActions): CheckActions {
  const result: CheckActions = {};
  for (const name of CHECK_NAMES) {
    const action = raised(actions[name], validations[name]);
    if (action !== undefined) result[name] = action;
  }
  return result;
}

function raised(one: Action | undefined, other: Action | undefined): Action | undefined {
  return one === undefined || other === undefined ? (one ?? other) : stronger(one, other);
}

function stronger(one: Action, other: Action): Action {
  return ACTIONS.indexOf(one) >= ACTIONS.indexOf(other) ? one : other;
}
