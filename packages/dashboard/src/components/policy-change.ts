import { type Action, type CheckName, LANGUAGE_TAGS, type LanguageTag } from '@postern/contract';
import type { PolicyPatch, ProjectPolicy } from '@postern/contract/project-fields';

export type ActionOrOff = Action | 'off';

export const actionOf = (policy: ProjectPolicy, name: CheckName): ActionOrOff =>
  policy.actions[name] ?? 'off';

export function withAction(policy: ProjectPolicy, name: CheckName, action: ActionOrOff): ProjectPolicy {
  const { [name]: _old, ...rest } = policy.actions;
  return { ...policy, actions: action === 'off' ? rest : { ...rest, [name]: action } };
}

type Settings = Readonly<Record<string, unknown>>;

/** The settings that differ, and `gone` for one that is no longer there. */
function changed(before: Settings = {}, after: Settings = {}, gone: unknown): Record<string, unknown> {
  const names = Object.keys({ ...before, ...after }).filter((name) => after[name] !== before[name]);
  return Object.fromEntries(names.map((name) => [name, after[name] ?? gone]));
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
  const { actions, signals, messages, ...fields } = after;
  const parts = Object.entries({
    actions: changed(before.actions, actions, 'off'),
    signals: changed(before.signals, signals, 'off'),
    messages: Object.fromEntries(
      LANGUAGE_TAGS.map((tag) => [tag, changed(before.messages[tag], messages[tag], null)] as const).filter(
        ([, texts]) => Object.keys(texts).length > 0,
      ),
    ),
  }).filter(([, part]) => Object.keys(part).length > 0);
  const { actions: _a, signals: _s, messages: _m, ...old } = before;
  const patch = { ...changed(old, fields, undefined), ...Object.fromEntries(parts) };
  return Object.keys(patch).length === 0 ? undefined : patch;
}

/** How many settings a patch changes. */
export function changesIn(patch: PolicyPatch | undefined): number {
  if (patch === undefined) return 0;
  const { actions = {}, signals = {}, messages = {}, ...fields } = patch;
  const parts = [actions, signals, fields, ...Object.values(messages)];
  return parts.reduce<number>((sum, part) => sum + Object.keys(part ?? {}).length, 0);
}
