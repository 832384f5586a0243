import type { ListField, NamedLists } from '@postern/contract/project-fields';
import { RULE_ID, RULE_LIMITS } from '@postern/contract/rules';
import { LIST_VALUE_EXAMPLES, LIST_VALUE_FORMS, parseListValue } from '../model/list-value.ts';
import type { ListEntry } from '../model/project.ts';
import { InvalidInput, quoted, refuseUnlessObject } from './administration.ts';

const MAX_NOTE_LENGTH = 200;

/**
 * The project’s own list with each value in the form that the checks compare. The last of several equal values stays.
 */
export function readListEntries(
  field: string,
  entries: unknown,
  { label, maxEntries }: Pick<ListField, 'label' | 'maxEntries'>,
): ListEntry[] {
  if (!Array.isArray(entries)) throw new InvalidInput(field, `${label} must be a list.`);
  const byValue = new Map<string, ListEntry>();
  for (const entry of entries) {
    const read = readListEntry(field, label, entry);
    byValue.set(read.value, read);
  }
  if (byValue.size > maxEntries) {
    throw new InvalidInput(field, `${label}: at most ${maxEntries} entries; got ${byValue.size}.`);
  }
  return [...byValue.values()];
}

function readListEntry(field: string, label: string, entry: ListEntry): ListEntry {
  const value = readListValue(entry?.value);
  if (value === undefined) {
    throw new InvalidInput(
      field,
      `${label}: ${quoted(entry?.value)} is not ${LIST_VALUE_FORMS}. Examples: ${LIST_VALUE_EXAMPLES}.`,
    );
  }
  const { note, expiresAt, flag } = entry;
  if (flag !== undefined && (flag !== true || field !== 'blockList'))
    throw new InvalidInput(field, `${label}: flag can only be true, in entries of the block list.`);
  if (
    note !== undefined &&
    (typeof note !== 'string' || note.length > MAX_NOTE_LENGTH || note.includes('\0'))
  ) {
    throw new InvalidInput(field, `${label}: a note is a text of at most ${MAX_NOTE_LENGTH} characters.`);
  }
  if (expiresAt !== undefined && !Number.isSafeInteger(expiresAt)) {
    throw new InvalidInput(
      field,
      `${label}: the end of an entry (expiresAt) is a time in milliseconds since 1970.`,
    );
  }
  return {
    value,
    ...(note !== undefined && note !== '' ? { note } : {}),
    ...(flag === true ? { flag } : {}),
    ...(expiresAt !== undefined ? { expiresAt } : {}),
  };
}

/** The value in the one form that is stored, or `undefined` if it is not a valid entry. */
export function readListValue(value: unknown): string | undefined {
  return typeof value === 'string' ? parseListValue(value)?.text : undefined;
}

/** The named lists in the form that the store keeps. Throws the first fault. */
export function readNamedLists(lists: unknown): NamedLists {
  refuseUnlessObject('namedLists', lists);
  const named = Object.entries(lists);
  if (named.length > RULE_LIMITS.lists)
    throw new InvalidInput('namedLists', `A project has at most ${RULE_LIMITS.lists} named lists.`);
  return Object.fromEntries(
    named.map(([name, entries]) => [
      readName(name),
      readListEntries('namedLists', entries, {
        label: `List ${name}`,
        maxEntries: RULE_LIMITS.listEntries,
      }),
    ]),
  );
}

/** The names of the two lists that decide. */
const RESERVED: readonly string[] = ['allow', 'block'];

function readName(name: string): string {
  if (!RULE_ID.test(name) || RESERVED.includes(name))
    throw new InvalidInput(
      'name',
      `${quoted(name)} is not a list’s name. Use 1 to 40 of a-z, 0-9 and _, but not ${RESERVED.join(' or ')}.`,
    );
  return name;
}
