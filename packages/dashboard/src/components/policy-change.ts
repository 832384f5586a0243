import {
  type Action,
  CHECK_NAMES,
  type CheckName,
  LANGUAGE_TAGS,
  type LanguageTag,
  POLICY_SIGNALS,
  type PolicySignal,
} from '@postern/contract';
import {
  fieldRows,
  POLICY_FIELDS,
  type PolicyPatch,
  type ProjectMessages,
  type ProjectPolicy,
} from '@postern/contract/project-fields';

export type ActionOrOff = Action | 'off';

export const actionOf = (policy: ProjectPolicy, name: CheckName): ActionOrOff =>
  policy.actions[name] ?? 'off';

export function withAction(policy: ProjectPolicy, name: CheckName, action: ActionOrOff): ProjectPolicy {
  const { [name]: _old, ...rest } = policy.actions;
  return { ...policy, actions: action === 'off' ? rest : { ...rest, [name]: action } };
}

const CHANGED_IN_PARTS: readonly string[] = ['actions', 'signals', 'messages'];

type MessagesPatch = NonNullable<PolicyPatch['messages']>;

function messagesPatch(before: ProjectMessages, after: ProjectMessages): MessagesPatch {
  const patch: { [Tag in LanguageTag]?: Partial<Record<CheckName, string | null>> } = {};
  for (const tag of LANGUAGE_TAGS) {
    for (const name of CHECK_NAMES) {
      const text = after[tag]?.[name];
      if (text !== before[tag]?.[name]) patch[tag] = { ...patch[tag], [name]: text ?? null };
    }
  }
  return patch;
}

/** The policy with an own message. An empty text restores the built-in one. */
export function withMessage(
  policy: ProjectPolicy,
  tag: LanguageTag,
  name: CheckName,
  text: string,
): ProjectPolicy {
  const { [name]: _old, ...rest } = policy.messages[tag] ?? {};
  return {
    ...policy,
    messages: { ...policy.messages, [tag]: text === '' ? rest : { ...rest, [name]: text } },
  };
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
  const messages = messagesPatch(before.messages, after.messages);
  const patch: PolicyPatch = {
    ...Object.fromEntries(
      fieldRows(POLICY_FIELDS)
        .filter(([name]) => !CHANGED_IN_PARTS.includes(name) && after[name] !== before[name])
        .map(([name]) => [name, after[name]]),
    ),
    ...(Object.keys(actions).length > 0 && { actions }),
    ...(Object.keys(signals).length > 0 && { signals }),
    ...(Object.keys(messages).length > 0 && { messages }),
  };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** How many settings a patch changes. */
export function changesIn(patch: PolicyPatch | undefined): number {
  if (patch === undefined) return 0;
  const { actions = {}, signals = {}, messages = {}, ...fields } = patch;
  const parts = [actions, signals, fields, ...Object.values(messages)];
  return parts.reduce<number>((sum, part) => sum + Object.keys(part ?? {}).length, 0);
}
