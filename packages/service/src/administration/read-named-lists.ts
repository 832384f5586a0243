import type { NamedLists } from '@postern/contract/project-fields';
import { RULE_ID, RULE_LIMITS } from '@postern/contract/rules';
import { InvalidInput, quoted } from './administration.ts';
import { refuseUnlessObject } from './field-values.ts';
import { readListEntries } from './list-entry.ts';

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
