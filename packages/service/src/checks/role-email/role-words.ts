import { readRows, readWords } from '../../lists/read-list.ts';

/** Words by the function that they name, one line of words each. */
type WordsByFunction = Readonly<Record<string, string>>;

const wordsIn = (name: string): WordsByFunction =>
  Object.fromEntries(readRows(name).map(([key = '', words = '']) => [key, words]));

/** The words that offices give their mailboxes. */
export const ROLE_WORDS = wordsIn('words/roles.tsv');

/** Words that stand for a function only when nothing stands beside them: `post@` is an office, `emily-post@` is not. */
export const LONE_ROLE_WORDS = wordsIn('words/lone-roles.tsv');

/** Words that say which desk of a function is meant, and nothing alone: `sales-emea`, `support-team`, `info.de`. */
export const QUALIFIERS: ReadonlySet<string> = new Set(readWords('words/role-qualifiers.txt'));

/** Entries of the package `role-based-email-addresses` that fail nobody here, by the reason. */
export const NOT_ROLES = wordsIn('words/not-roles.tsv');
