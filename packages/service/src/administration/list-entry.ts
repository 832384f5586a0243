import type { ListField } from '@postern/contract/project-fields';
import { LIST_VALUE_EXAMPLES, LIST_VALUE_FORMS, parseListValue } from '../model/list-value.ts';
import type { ListEntry } from '../model/project.ts';
import { InvalidInput, quoted } from './administration.ts';

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
