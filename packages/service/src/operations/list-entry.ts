import { listEntry } from '@postern/contract/dashboard-routes';
import type { ListField, NamedLists } from '@postern/contract/project-fields';
import { RULE_ID, RULE_LIMITS } from '@postern/contract/rules';
import * as z from 'zod';
import { LIST_VALUE_EXAMPLES, LIST_VALUE_FORMS, parseListValue } from '../model/list-value.ts';
import type { ListEntry } from '../model/project.ts';
import { InvalidInput, quoted, refuseUnlessObject } from './administration.ts';
import { readBody } from './read-body.ts';

/**
 * The project’s own list with each value in the form that the checks compare. The last of several equal values stays.
 */
export function readListEntries(
  field: string,
  entries: readonly ListEntry[],
  { label, maxEntries }: Pick<ListField, 'label' | 'maxEntries'>,
): ListEntry[] {
  const read = entries.map((entry) => readListEntry(field, label, entry));
  const byValue = new Map(read.map((entry) => [entry.value, entry]));
  if (byValue.size > maxEntries)
    throw new InvalidInput(field, `${label}: at most ${maxEntries} entries; got ${byValue.size}.`);
  return [...byValue.values()];
}

/** What the schema of entries cannot know. */
export function readListEntry(field: string, label: string, entry: ListEntry): ListEntry {
  const { note, flag, expiresAt } = entry;
  const value = readListValue(entry.value);
  if (value === undefined)
    throw new InvalidInput(
      field,
      `${label}: ${quoted(entry.value)} is not ${LIST_VALUE_FORMS}. Examples: ${LIST_VALUE_EXAMPLES}.`,
    );
  if (flag && field !== 'blockList')
    throw new InvalidInput(field, `${label}: flag can only be true, in entries of the block list.`);
  return {
    value,
    ...(note && { note }),
    ...(flag && { flag }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

/** The value in the one form that is stored, or `undefined` if it is not a valid entry. */
export const readListValue = (value: string): string | undefined => parseListValue(value)?.text;

const NamedList = z.strictObject({ namedLists: z.array(listEntry) });

/** The named lists in the form that the store keeps. Throws the first fault. */
export function readNamedLists(lists: NamedLists): NamedLists {
  refuseUnlessObject('namedLists', lists);
  const named = Object.entries(lists);
  if (named.length > RULE_LIMITS.lists)
    throw new InvalidInput('namedLists', `A project has at most ${RULE_LIMITS.lists} named lists.`);
  return Object.fromEntries(
    named.map(([name, entries]) => [
      readListName(name),
      readListEntries('namedLists', readBody(NamedList, { namedLists: entries }).namedLists, {
        label: `List ${name}`,
        maxEntries: RULE_LIMITS.listEntries,
      }),
    ]),
  );
}

/** The names of the two lists that decide. */
const RESERVED: readonly string[] = ['allow', 'block'];

export function readListName(name: string): string {
  if (!RULE_ID.test(name) || RESERVED.includes(name))
    throw new InvalidInput(
      'name',
      `${quoted(name)} is not a list’s name. Use 1 to 40 of a-z, 0-9 and _, but not ${RESERVED.join(' or ')}.`,
    );
  return name;
}
