import { CHECK_NAMES, SIGNALS } from '@postern/contract';
import { FACT_VALUES, RULE_SIGNALS } from '@postern/contract/rule-values';
import { RULE_FACTS, RULE_FUNCTIONS, type RuleFact } from '@postern/contract/rules';

export interface Completion {
  readonly label: string;
  /** What kind of thing it is: a type, or `signal`, `list` and so on. */
  readonly type: string;
  readonly meaning: string;
  readonly insert: string;
  /** Where the cursor goes inside `insert`; the end if absent. */
  readonly caret?: number;
}

/** What can stand at the cursor, and the text that it replaces. */
export interface Completions {
  readonly from: number;
  readonly to: number;
  readonly options: readonly Completion[];
}

const MOST = 12;
const TYPE_NAMES = { string: 'text', int: 'number', bool: 'true or false', list: 'list' } as const;

/** Signals and checks are offered as `"signal" in signals`. */
const {
  signals: _signals,
  failed: _failed,
  ...VALUES
}: Readonly<Record<string, readonly string[]>> = FACT_VALUES;

/** What can be completed at the cursor. Without letters before it, only if it was `asked` for. */
export function completionsAt(
  text: string,
  cursor: number,
  lists: readonly string[],
  asked = false,
): Completions | undefined {
  const quote = openQuote(text.slice(0, cursor));
  const found = quote === undefined ? atName(text, cursor, asked) : atText(text, cursor, quote, lists);
  if (found === undefined) return undefined;
  const written = text.slice(found.from, found.to);
  const options = found.options.slice(0, MOST);
  // What is written whole needs no completion.
  const done = options.length === 1 && options[0]?.insert === written;
  return options.length === 0 || done ? undefined : { ...found, options };
}

/** Where the text begins that the cursor is in; `undefined` outside of texts. */
function openQuote(before: string): number | undefined {
  let open: number | undefined;
  for (let at = 0; at < before.length; at += 1) {
    const sign = before[at];
    if (open === undefined && (sign === '"' || sign === "'")) open = at;
    else if (open !== undefined && sign === '\\') at += 1;
    else if (open !== undefined && sign === before[open]) open = undefined;
  }
  return open;
}

function atName(text: string, cursor: number, asked: boolean): Completions | undefined {
  const word = /[\w.]*$/.exec(text.slice(0, cursor))?.[0] ?? '';
  if (word === '' && !asked) return undefined;
  const rest = /^\w*/.exec(text.slice(cursor))?.[0] ?? '';
  const to = cursor + rest.length;
  const method = /^(.+)\.(\w*)$/.exec(word);
  const fact = method?.[1] === undefined ? undefined : factOf(method[1]);
  if (fact !== undefined) {
    const part = method?.[2] ?? '';
    return { from: cursor - part.length, to, options: sorted(methodsOf(fact), part) };
  }
  return { from: cursor - word.length, to, options: sorted(NAMES, word) };
}

function factOf(name: string): RuleFact | undefined {
  return Object.hasOwn(RULE_FACTS, name) ? RULE_FACTS[name as keyof typeof RULE_FACTS] : undefined;
}

/** Those that begin with the word, then those that contain it. */
function sorted(options: readonly Completion[], word: string): Completion[] {
  const wanted = word.toLowerCase();
  const place = ({ label }: Completion) => label.toLowerCase().indexOf(wanted);
  return [
    ...options.filter((option) => place(option) === 0),
    ...options.filter((option) => place(option) > 0),
  ];
}

const plain = (meaning: string) => meaning.replaceAll('`', '');

const FACTS: readonly Completion[] = Object.entries(RULE_FACTS).map(([name, { type, meaning }]) => ({
  label: name,
  type: TYPE_NAMES[type],
  meaning: plain(meaning),
  insert: name,
}));

type FunctionName = keyof typeof RULE_FUNCTIONS;

function call(name: FunctionName, insert: string, caret: number): Completion {
  const { form, meaning } = RULE_FUNCTIONS[name];
  return { label: form, type: 'function', meaning: plain(meaning), insert, caret };
}

const NAMES: readonly Completion[] = [
  ...FACTS,
  call('inList', 'inList("", )', 8),
  ...(['size', 'int', 'double', 'string'] as const).map((name) => call(name, `${name}()`, name.length + 1)),
  { label: 'true', type: 'value', meaning: 'Always.', insert: 'true' },
  { label: 'false', type: 'value', meaning: 'Never.', insert: 'false' },
];

/** What can be called on a fact. Labels begin with the function’s name, because that is what is typed. */
function methodsOf({ type }: RuleFact): Completion[] {
  const method = (name: FunctionName, insert: string, caret: number) => ({
    ...call(name, insert, caret),
    label: name,
  });
  if (type === 'string')
    return [
      ...(['startsWith', 'endsWith', 'contains'] as const).map((name) =>
        method(name, `${name}("")`, name.length + 2),
      ),
      method('lowerAscii', 'lowerAscii()', 12),
      method('upperAscii', 'upperAscii()', 12),
      method('size', 'size()', 6),
    ];
  if (type !== 'list') return [];
  return [
    ...(['exists', 'all', 'exists_one'] as const).map((name) =>
      method(name, `${name}(s, )`, name.length + 4),
    ),
    method('size', 'size()', 6),
  ];
}

function atText(text: string, cursor: number, quote: number, lists: readonly string[]): Completions {
  const before = text.slice(0, quote);
  const sign = text[quote] ?? '"';
  const closed = text[cursor] === sign;
  const options = wordsFor(before, lists).map(({ after, ...option }) => ({
    ...option,
    insert: closed ? option.insert : `${option.insert}${sign}${after}`,
  }));
  return { from: quote + 1, to: cursor, options: sorted(options, text.slice(quote + 1, cursor)) };
}

type Word = Completion & { readonly after: string };

/** The words that make sense in a text that begins here. */
function wordsFor(before: string, lists: readonly string[]): Word[] {
  if (/\binList\(\s*$/.test(before)) return lists.map((name) => word(name, 'list', 'A named list.', ''));
  const fact = /([\w.]+)\s*(?:==|!=|in\s*\[[^\]]*)\s*$/.exec(before)?.[1] ?? '';
  if (Object.hasOwn(VALUES, fact))
    return (VALUES[fact] ?? []).map((value) => word(value, 'value', `A value of ${fact}.`, ''));
  // A comparison with something else, or the argument of a function.
  if (fact !== '' || /\w\(\s*$/.test(before)) return [];
  const inBrackets = /\[[^\]]*$/.test(before);
  return [
    ...SIGNAL_WORDS.map(([name, meaning]) => word(name, 'signal', meaning, inBrackets ? '' : ' in signals')),
    ...CHECK_NAMES.map((name) => word(name, 'check', 'A check that failed.', inBrackets ? '' : ' in failed')),
  ];
}

const word = (label: string, type: string, meaning: string, after: string): Word => ({
  label,
  type,
  meaning,
  insert: label,
  after,
});

/** The signals of checks. Rules do not see those of rules and lists. */
const SIGNAL_WORDS = Object.entries(SIGNALS)
  .filter(([name]) => RULE_SIGNALS.includes(name))
  .map(([name, { meaning }]) => [name, plain(meaning)] as const);
