import {
  type Action,
  CHECK_NAMES,
  type CheckName,
  POLICY_SIGNALS,
  type PolicySignal,
} from '@postern/contract';
import {
  fieldRows,
  POLICY_FIELDS,
  type PolicyPatch,
  type ProjectPolicy,
} from '@postern/contract/project-fields';

export type ActionOrOff = Action | 'off';

export const actionOf = (policy: ProjectPolicy, name: CheckName): ActionOrOff =>
  policy.actions[name] ?? 'off';

export function withAction(policy: ProjectPolicy, name: CheckName, action: ActionOrOff): ProjectPolicy {
  const { [name]: _old, ...rest } = policy.actions;
  return { ...policy, actions: action === 'off' ? rest : { ...rest, [name]: action } };
}

/** Only the changes, in the format of the API. `undefined` if nothing changed. */
export function policyPatch(before: ProjectPolicy, after: ProjectPolicy): PolicyPatch | undefined {
  const actions: Partial<Record<CheckName, ActionOrOff>> = {};
  for (const name of CHECK_NAMES) {
    const action = actionOf(after, name);
    if (action !== actionOf(before, name)) actions[name] = action;
  }
  const signals: Partial<Record<PolicySignal, 'flag' | 'off'>> = {};
  for (const name of POLICY_SIGNALS) {
    if (after.signals[name] !== before.signals[name]) signals[name] = after.signals[name] ?? 'off';
  }
  const patch: PolicyPatch = {
    ...Object.fromEntries(
      fieldRows(POLICY_FIELDS)
        .filter(([name]) => name !== 'actions' && name !== 'signals' && after[name] !== before[name])
        .map(([name]) => [name, after[name]]),
    ),
    ...(Object.keys(actions).length > 0 && { actions }),
    ...(Object.keys(signals).length > 0 && { signals }),
  };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** How many settings a patch changes. */
export function changesIn(patch: PolicyPatch | undefined): number {
  if (patch === undefined) return 0;
  const { actions = {}, signals = {}, ...fields } = patch;
  return [actions, signals, fields].reduce((sum, part) => sum + Object.keys(part).length, 0);
}
