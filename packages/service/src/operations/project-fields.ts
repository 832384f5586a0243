import { PolicyChange, settingSchemas } from '@postern/contract/dashboard-routes';
import {
  fieldRows,
  type ListEntry,
  type PolicyPatch,
  PROJECT_FIELDS,
  PROJECT_ID,
  type ProjectField,
  type ProjectMessages,
  type ProjectPatch,
  type ProjectPolicy,
} from '@postern/contract/project-fields';
import * as z from 'zod';
import type { ProjectChange } from '../store/tables/project-table.ts';
import { InvalidInput, oneOf, quoted, refuseUnlessObject } from './administration.ts';
import { readAllowedDomains } from './allowed-domains.ts';
import { readListEntries, readNamedLists } from './list-entry.ts';
import { readBody } from './read-body.ts';
import { readRules } from './read-rules.ts';

export function readProjectId(id: string): string {
  if (typeof id !== 'string' || !PROJECT_ID.test(id)) {
    throw new InvalidInput(
      'id',
      `${quoted(id)} is not a project ID. Use 1 to 64 letters, digits, - and _, with a letter or digit first.`,
    );
  }
  return id;
}

const ProjectFields = z.strictObject(settingSchemas(PROJECT_FIELDS));

/**
 * Reads the fields into the form that the store keeps, or throws the first fault. Values may come straight from JSON.
 * An absent field stays absent.
 */
export function readProjectFields(
  patch: ProjectPatch,
  plans: ReadonlyMap<string, number>,
  policy: ProjectPolicy,
): ProjectChange {
  const rows = fieldRows(PROJECT_FIELDS).filter(([name]) => patch[name] !== undefined);
  const given = readBody(ProjectFields, Object.fromEntries(rows.map(([name]) => [name, patch[name]])));
  const fields = rows.map(([name, field]) => [name, readField(name, field, given[name], plans)]);
  return {
    ...Object.fromEntries(fields),
    ...(patch.policy !== undefined && { policy: changedPolicy(patch.policy, policy) }),
    ...(patch.namedLists !== undefined && { namedLists: readNamedLists(patch.namedLists) }),
    ...(patch.rules !== undefined && { rules: readRules(patch.rules) }),
  };
}

/** What the schema cannot know. */
function readField(
  name: string,
  field: ProjectField,
  value: unknown,
  plans: ReadonlyMap<string, number>,
): unknown {
  switch (field.kind) {
    case 'plan':
      return oneOf(name, field.label, value, [...plans.keys()]);
    case 'domains':
      return readAllowedDomains(value as readonly string[]);
    case 'list':
      return readListEntries(name, value as readonly ListEntry[], field);
    default:
      return value;
  }
}

function changedPolicy(patch: PolicyPatch, current: ProjectPolicy): ProjectPolicy {
  refuseUnlessObject('policy', patch);
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const { actions, signals, messages, ...settings } = readBody(
    PolicyChange,
    Object.fromEntries(given),
  ) as PolicyPatch;
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
