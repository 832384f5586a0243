import { RULE_FUNCTIONS, RULE_LIMITS } from '@postern/contract/rules';

/** A mistake in the way an expression is written: what to write instead, and where. */
export interface Advice {
  readonly start: number;
  readonly message: string;
}

const NEXT = 'Expected && or || and another condition, or the end.';
const JOIN = 'Write && (and) or || (or) between two conditions.';
const NOT_IN = 'Write !(value in list) for “not in”.';

/** What people write who know another language, as it stands at the place of the mistake. */
const WRITTEN: readonly (readonly [pattern: RegExp, advice: string])[] = [
  [/^=/, 'Write == to compare.'],
  [/^(and\b|&)/i, 'Write && for “and”.'],
  [/^(or\b|\|)/i, 'Write || for “or”.'],
  [/^(not\s|!)\s*in\b/i, NOT_IN],
  [/^!=?/, JOIN],
  [/^(is|equals|eq)\b/i, 'Write == to compare.'],
  [/^(like|matches)\b|^~/i, 'Write text.startsWith("x"), text.endsWith("x") or text.contains("x").'],
  [/^[“”„‟«»‘’‚]/, 'Write straight quotes around a text, such as "DE".'],
  [/^[$@]/, 'Facts are written without a sign before them, such as email.domain.'],
  [/^#/, 'A comment begins with //.'],
  [/^;/, 'Leave the ; out: a rule is one condition.'],
  [/^\)/, 'There is no ( for this ).'],
  [/^]/, 'There is no [ for this ].'],
  [/^["']/, `A text cannot stand here. ${NEXT}`],
];

/** The next word or sign, for a message. */
function wordAt(source: string, start: number): string {
  return /^(\w{1,30}|.)/su.exec(source.slice(start, start + 40))?.[0] ?? '';
}

/** A word that CEL keeps for itself, such as `if` or `package`. `if ip.known` gets the advice of other languages. */
export function explainReserved(source: string, start: number): Advice {
  const [written = '', word = ''] = /^(\w*)\s*/.exec(source.slice(start)) ?? [];
  if (/^(if|not|when)$/i.test(word)) return explainCharacter(source, start + written.length);
  return { start, message: `CEL keeps the word “${word}” for itself. If it is a text, write "${word}".` };
}

/** A character or a word that cannot stand where it is. */
export function explainCharacter(source: string, start: number): Advice {
  // `not email.role` and `if ip.known` are read as a name with something behind it.
  const before = /\b(not|if|when)\s+$/i.exec(source.slice(Math.max(0, start - 20), start));
  if (before !== null) {
    const place = start - before[0].length;
    if (/^not/i.test(before[0])) return { start: place, message: 'Write ! for “not”, such as !email.role.' };
    return { start: place, message: `Leave “${before[1]}” out: write only the condition.` };
  }
  const rest = source.slice(start, start + 100);
  const advice = WRITTEN.find(([pattern]) => pattern.test(rest))?.[1];
  if (advice !== undefined) return { start, message: advice };
  const word = wordAt(source, start);
  if (Object.hasOwn(RULE_FUNCTIONS, word))
    return { start, message: `Expected ${RULE_FUNCTIONS[word as keyof typeof RULE_FUNCTIONS].form}.` };
  return { start, message: `“${word}” cannot stand here. ${NEXT}` };
}

const TOKENS: Readonly<Record<string, string>> = {
  RPAREN: ')',
  LPAREN: '(',
  RBRACKET: ']',
  LBRACKET: '[',
  RBRACE: '}',
  COLON: ':',
  COMMA: ',',
  DOT: '.',
  EOF: 'the end',
  IDENTIFIER: 'a name',
};

/** `Expected RPAREN, got COMMA` */
export function explainExpected(source: string, start: number, summary: string): Advice {
  const [, wanted = '', got = ''] = /^Expected (\w+), got (\w+)/.exec(summary) ?? [];
  const found = got === 'EOF' ? 'the condition ends' : `found “${TOKENS[got] ?? wordAt(source, start)}”`;
  const message = `Expected ${TOKENS[wanted] ?? wanted}, but ${found}.`;
  if (wanted === 'RPAREN' && got === 'COMMA')
    return { start, message: `${message} A list is in [ ], such as ["DE", "AT"].` };
  return { start, message };
}

export function explainToken(source: string, start: number): Advice {
  if (source.trim() === '') return { start: 0, message: 'Expected a condition, such as ip.country == "DE".' };
  if (source.slice(start).trim() === '')
    return { start, message: 'The condition ends too early. Expected another value or condition.' };
  if (source[start] === '>' && source[start - 1] === '<')
    return { start: start - 1, message: 'Write != for “is not”.' };
  const rest = source.slice(start, start + 100);
  if (/^(and|or)\b|^[=&|]/i.test(rest)) return explainCharacter(source, start);
  return {
    start,
    message: `“${wordAt(source, start)}” cannot stand here. Expected a fact, a text in quotes, a number or (.`,
  };
}

/** `Exceeded maxDepth (32)` */
export function explainLimit(summary: string): string {
  if (summary.includes('maxMapEntries'))
    return 'Rules have no maps, which stand in { }. Write a list, such as ip.country in ["DE", "AT"].';
  if (summary.includes('maxDepth'))
    return `Expected at most ${RULE_LIMITS.depth} brackets, conditions and functions inside each other.`;
  if (summary.includes('maxCallArguments')) return 'Expected at most 4 values in the brackets of a function.';
  return `Expected at most ${RULE_LIMITS.nodes} names, values and operators. Use a named list, or two rules.`;
}

const LARGEST = Number.MAX_SAFE_INTEGER;
export const TOO_LARGE = `The number is too large. Expected at most ${LARGEST}.`;

/** Other faults of texts and numbers, by the library’s code. */
export const EXPLAINED_CODES: Readonly<Record<string, string>> = {
  unterminated_string: 'The text has no end. Expected a closing quote.',
  unterminated_triple_quoted_string: 'The text has no end. Expected three closing quotes.',
  newline_in_string: 'The text has no end. Expected a closing quote on the same line.',
  invalid_number: TOO_LARGE,
  invalid_integer: TOO_LARGE,
  invalid_hex_integer: TOO_LARGE,
  heterogeneous_list_element: 'Expected values of one type in a list: only texts, or only numbers.',
  invalid_exponent: 'Expected digits after e, such as 1e3.',
};
