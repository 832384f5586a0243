import {
  listEntry,
  namedLists,
  PolicyChange,
  projectId,
  Rules,
  SETTINGS,
} from '@postern/contract/dashboard-routes';
import type {
  ListEntry,
  PolicyPatch,
  ProjectMessages,
  ProjectPatch,
  ProjectPolicy,
} from '@postern/contract/project-fields';
import { RULE_LIMITS } from '@postern/contract/rules';
import * as z from 'zod';
import { parseListValue } from '../model/list-value.ts';
import type { ProjectChange } from '../store/tables/project-table.ts';
import { withoutRepeats } from './allowed-domains.ts';
import { readBody } from './read-body.ts';
import { storedRule } from './read-rules.ts';
import type { Plans } from './value-forms.ts';

export type NewProjectFields = ProjectPatch & {
  /** If absent, derived from the name. */
  readonly id?: string | undefined;
};

/** What projects and changes of them can say. */
const ProjectFields = z.strictObject({
  id: projectId.optional(),
  ...SETTINGS,
  policy: PolicyChange.optional(),
  rules: Rules.optional(),
  namedLists: namedLists(z.array(listEntry).max(RULE_LIMITS.listEntries)).optional(),
});

/**
 * Reads the fields into the form that the store keeps, or throws all faults together. Values may come straight from
 * JSON. An absent field stays absent.
 */
export function readProjectFields(
  patch: NewProjectFields,
  plans: Plans,
  policy: ProjectPolicy,
): ProjectChange {
  const names = Object.keys(ProjectFields.shape) as (keyof NewProjectFields)[];
  const given = names.flatMap((name) => (patch[name] === undefined ? [] : [[name, patch[name]]]));
  const read = readBody(ProjectFields, Object.fromEntries(given), plans) as NewProjectFields;
  const { policy: change, id: _id, ...fields } = read;
  return { ...storedFields(fields), ...(change !== undefined && { policy: changedPolicy(change, policy) }) };
}

/** Each value in the form that the checks compare. */
export function storedFields({ policy: _policy, ...fields }: ProjectPatch): Omit<ProjectChange, 'policy'> {
  const { allowedDomains, allowList, blockList, namedLists, rules } = fields;
  return {
    ...(fields as Omit<ProjectChange, 'policy'>),
    ...(allowedDomains && { allowedDomains: withoutRepeats(allowedDomains) }),
    ...(allowList && { allowList: storedEntries(allowList) }),
    ...(blockList && { blockList: storedEntries(blockList) }),
    ...(namedLists && {
      namedLists: Object.fromEntries(
        Object.entries(namedLists).map(([name, entries]) => [name, storedEntries(entries)]),
      ),
    }),
    ...(rules && { rules: rules.map(storedRule) }),
  };
}

/** The last of several equal entries stays. Who added one is said when it is stored. */
function storedEntries(entries: readonly ListEntry[]): ListEntry[] {
  const read = entries.map(({ value, note, flag, expiresAt }) => ({
    value: readListValue(value) ?? value,
    ...(note && { note }),
    ...(flag && { flag }),
    ...(expiresAt !== undefined && { expiresAt }),
  }));
  return [...new Map(read.map((entry) => [entry.value, entry])).values()];
}

/** The value in the one form that is stored, or `undefined` if it is not a valid entry. */
export const readListValue = (value: string): string | undefined => parseListValue(value)?.text;

/** The policy after a change that was read. */
export function changedPolicy(change: PolicyPatch, current: ProjectPolicy): ProjectPolicy {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const { actions, signals, messages, ...settings } = Object.fromEntries(given) as PolicyPatch;
  return {
    ...current,
    ...(settings as Partial<ProjectPolicy>),
    actions: without('off', { ...current.actions, ...actions }) as ProjectPolicy['actions'],
    signals: without('off', { ...current.signals, ...signals }) as ProjectPolicy['signals'],
    messages: changedMessages(messages ?? {}, current.messages),
  };
}

function changedMessages(
  change: NonNullable<PolicyPatch['messages']>,
  current: ProjectMessages,
): ProjectMessages {
  const changed = Object.entries(change).map(([tag, texts]) => {
    const all = texts === null ? {} : { ...current[tag as keyof ProjectMessages], ...texts };
    return [tag, without(null, without('', all))] as const;
  });
  const messages = Object.entries({ ...current, ...Object.fromEntries(changed) });
  return Object.fromEntries(messages.filter(([, texts]) => Object.keys(texts).length > 0));
}

function without(value: unknown, entries: object): object {
  return Object.fromEntries(Object.entries(entries).filter(([, each]) => each !== value));
}
