import { type Action, CHECK_NAMES, type CheckName } from '@postern/contract';
import type { PolicyView, ProjectPatch } from '@postern/contract/dashboard';

export type PolicyPatch = NonNullable<ProjectPatch['policy']>;
export type ActionOrOff = Action | 'off';

export const actionOf = (policy: PolicyView, name: CheckName): ActionOrOff => policy.actions[name] ?? 'off';

export function withAction(policy: PolicyView, name: CheckName, action: ActionOrOff): PolicyView {
  const { [name]: _old, ...rest } = policy.actions;
  return { ...policy, actions: action === 'off' ? rest : { ...rest, [name]: action } };
}

const FIELDS = [
  'clientOverrides',
  'relays',
  'deviceThreshold',
  'deviceCommonNetworks',
  'messageTone',
] as const;

/** Only what differs, as the service takes it; `undefined` when nothing does. */
export function policyPatch(before: PolicyView, after: PolicyView): PolicyPatch | undefined {
  const actions: Partial<Record<CheckName, ActionOrOff>> = {};
  for (const name of CHECK_NAMES) {
    const action = actionOf(after, name);
    if (action !== actionOf(before, name)) actions[name] = action;
  }
  const patch: PolicyPatch = {};
  for (const field of FIELDS) {
    if (after[field] !== before[field]) Object.assign(patch, { [field]: after[field] });
  }
  if (Object.keys(actions).length > 0) patch.actions = actions;
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** How many single things a patch changes. */
export function changesIn(patch: PolicyPatch | undefined): number {
  if (patch === undefined) return 0;
  const { actions = {}, ...fields } = patch;
  return Object.keys(actions).length + Object.keys(fields).length;
}
