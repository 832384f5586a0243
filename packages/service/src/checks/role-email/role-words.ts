import { readRows, readWords } from '../../lists/read-list.ts';

/** The words of each function, such as sales or support, separated by spaces. */
type WordsByFunction = Readonly<Record<string, string>>;

const wordsIn = (name: string): WordsByFunction =>
  Object.fromEntries(readRows(name).map(([key = '', words = '']) => [key, words]));

/** The words that organisations use for shared mailboxes. */
export const ROLE_WORDS = wordsIn('words/roles.tsv');

/** Words that name a function only on their own: `post@` is an office, `emily-post@` is not. */
export const LONE_ROLE_WORDS = wordsIn('words/lone-roles.tsv');

/** Words that qualify a function and mean nothing on their own: `sales-emea`, `support-team`, `info.de`. */
export const QUALIFIERS: ReadonlySet<string> = new Set(readWords('words/role-qualifiers.txt'));

/** Entries of the package `role-based-email-addresses` that do not fail our check, grouped by reason. */
export const NOT_ROLES = wordsIn('words/not-roles.tsv');
