import {
  ACTIONS,
  CHECK_NAMES,
  type CheckActions,
  POLICY_SIGNALS,
  type SignalActions,
} from '@postern/contract';
import {
  type CountField,
  fieldRows,
  POLICY_FIELDS,
  type PolicyField,
  type PolicyPatch,
  PROJECT_FIELDS,
  PROJECT_ID,
  type ProjectField,
  type ProjectPatch,
  type ProjectPolicy,
} from '@postern/contract/project-fields';
import type { ProjectChange } from '../store/tables/project-table.ts';
import { InvalidInput, oneOf, quoted, readLine, refuseUnlessObject } from './administration.ts';
import { readAllowedDomains } from './allowed-domains.ts';
import { readListEntries, readNamedLists } from './list-entry.ts';
import { readOwnMessages } from './own-messages.ts';
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

/**
 * Reads the fields into the form that the store keeps, or throws the first fault. Values may come straight from JSON.
 * An absent field stays absent.
 */
export function readProjectFields(
  patch: ProjectPatch,
  plans: ReadonlyMap<string, number>,
  policy: ProjectPolicy,
): ProjectChange {
  const change = readEach(PROJECT_FIELDS, patch, (name, field, value) =>
    readField(name, field, value, plans),
  );
  if (patch.policy !== undefined) change.policy = readPolicy(patch.policy, policy);
  if (patch.namedLists !== undefined) change.namedLists = readNamedLists(patch.namedLists);
  if (patch.rules !== undefined) change.rules = readRules(patch.rules);
  return change;
}

/** Reads each field that is present. */
function readEach<Fields extends object>(
  fields: Fields,
  patch: { readonly [Name in keyof Fields]?: unknown },
  read: (name: string, field: Fields[keyof Fields], value: unknown) => unknown,
): Record<string, unknown> {
  const present = fieldRows(fields).filter(([name]) => patch[name] !== undefined);
  return Object.fromEntries(present.map(([name, field]) => [name, read(name, field, patch[name])]));
}

function readField(
  name: string,
  field: ProjectField,
  value: unknown,
  plans: ReadonlyMap<string, number>,
): unknown {
  switch (field.kind) {
    case 'name':
      return readName(name, value, field.maxLength);
    case 'plan':
      return oneOf(name, field.label, value, [...plans.keys()]);
    case 'domains':
      return readAllowedDomains(value, field.maxEntries);
    case 'list':
      return readListEntries(name, value, field);
    case 'count':
      return readCount(name, field, value);
  }
}

function readPolicy(patch: PolicyPatch, current: ProjectPolicy): ProjectPolicy {
  refuseUnlessObject('policy', patch);
  // A misspelt field that changes nothing would only be noticed much later.
  for (const name of Object.keys(patch)) oneOf('policy', 'Policy field', name, Object.keys(POLICY_FIELDS));
  const change = readEach(POLICY_FIELDS, patch, (name, field: PolicyField, value) => {
    switch (field.kind) {
      case 'actions':
        return readActions(value, current.actions);
      case 'signals':
        return readSignals(value, current.signals);
      case 'messages':
        return readOwnMessages(value, current.messages, field);
      case 'choice':
        return oneOf(name, field.label, value, field.values);
      case 'count':
        return readCount(name, field, value);
    }
  });
  return { ...current, ...change };
}

function readActions(change: unknown, current: CheckActions): CheckActions {
  refuseUnlessObject('actions', change);
  const actions: CheckActions = { ...current };
  for (const [name, action] of Object.entries(change)) {
    const check = oneOf('actions', 'Check', name, CHECK_NAMES);
    const wanted = oneOf('actions', `Action of ${check}`, action, [...ACTIONS, 'off'] as const);
    if (wanted === 'off') delete actions[check];
    else actions[check] = wanted;
  }
  return actions;
}

function readSignals(change: unknown, current: SignalActions): SignalActions {
  refuseUnlessObject('signals', change);
  const signals: SignalActions = { ...current };
  for (const [name, action] of Object.entries(change)) {
    const signal = oneOf('signals', 'Signal', name, POLICY_SIGNALS);
    const wanted = oneOf('signals', `Action of ${signal}`, action, ['flag', 'off']);
    if (wanted === 'off') delete signals[signal];
    else signals[signal] = wanted;
  }
  return signals;
}

function readName(name: string, value: unknown, maxLength: number): string {
  const line = readLine(value, maxLength);
  if (line === undefined) {
    throw new InvalidInput(name, `A project’s name has 1 to ${maxLength} characters.`);
  }
  return line;
}

function readCount(name: string, field: CountField, value: unknown): number | null {
  if (value === null && field.default === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < field.min || value > field.max) {
    throw new InvalidInput(
      name,
      `${field.label} must be a whole number from ${field.min} to ${field.max} (${field.unit}).`,
    );
  }
  return value;
}
