import type { ASTNode } from '@marcbachmann/cel-js';
import { RULE_FACTS, RULE_FUNCTIONS } from '@postern/contract/rules';

const FACT_NAMES = Object.keys(RULE_FACTS);
const GROUPS = [...new Set(FACT_NAMES.map((name) => name.split('.')[0] ?? name))];

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  int: 'a whole number',
  double: 'a number with a fraction',
  bool: 'true or false',
  null: 'null',
  'list<string>': 'a list of texts',
  'list<int>': 'a list of whole numbers',
};

/** The library calls a group of facts `$email`. */
export function typeInWords(type: string): string {
  if (type.startsWith('$')) return `a group of facts (${factsOf(type.slice(1)).join(', ')})`;
  return TYPES[type] ?? (type.startsWith('list') ? 'a list' : `a ${type}`);
}

function factsOf(group: string): string[] {
  return FACT_NAMES.filter((name) => name.startsWith(`${group}.`));
}

const SHOWN_LENGTH = 40;

/** The part of the expression, for a message. */
export function shown({ input, start, end }: Pick<ASTNode, 'input' | 'start' | 'end'>): string {
  const text = input.slice(start, end).replace(/\s+/g, ' ').trim();
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

const isLiteral = (node: ASTNode) => node.op === 'value';
const isNumeral = (node: ASTNode) =>
  node.op === 'value' && typeof node.args === 'string' && /^\d+$/.test(node.args);

interface Side {
  readonly node: ASTNode;
  readonly type: string;
}

/** What to write instead of two values that cannot stand around this operator. */
function adviceFor(op: string, left: Side, right: Side): string {
  const of = (type: string) => [left, right].find((side) => side.type === type);
  const [text, whole, fraction, truth] = [of('string'), of('int'), of('double'), of('bool')];
  const list = [left, right].find(({ type }) => type.startsWith('list'));
  const literal = [left, right].find(({ node }) => isLiteral(node));
  const group = [left, right].find(({ type }) => type.startsWith('$'));
  if (group !== undefined) return `Expected one of ${factsOf(group.type.slice(1)).join(', ')}.`;
  if (of('null') !== undefined) return 'A fact that is missing is "", 0, false or an empty list.';
  if (op === 'in')
    return list === undefined
      ? 'Expected a list after in, such as ["DE", "AT"]. For a part of a text write text.contains("x").'
      : `Expected a list whose values are like ${shown(left.node)}: ${typeInWords(left.type)}.`;
  if (truth !== undefined && ['<', '<=', '>', '>='].includes(op))
    return 'Write && between two comparisons, such as time.hour > 1 && time.hour < 5.';
  if (truth !== undefined && literal !== undefined && literal !== truth)
    return `Write ${shown(truth.node)}, or !${shown(truth.node)} for the opposite.`;
  if (list !== undefined && text !== undefined) return `Write ${shown(text.node)} in ${shown(list.node)}.`;
  if (whole !== undefined && text !== undefined) {
    if (isNumeral(text.node)) return `Write ${shown(text.node).slice(1, -1)} without quotes.`;
    if (isLiteral(text.node)) return 'Expected a whole number without quotes, such as 64500.';
    if (isLiteral(whole.node)) return `Write "${shown(whole.node)}" in quotes.`;
    return `Write string(${shown(whole.node)}) to make it a text.`;
  }
  if (whole !== undefined && fraction !== undefined)
    return `Write double(${shown(whole.node)}), or a number without a fraction.`;
  return 'Expected the same type on both sides.';
}

const inWords = ({ node, type }: Side) =>
  `${shown(node)} is ${type.startsWith('$') ? 'a group of facts' : typeInWords(type)}`;

/** `no such overload: int == string` and `no such overload: !string` */
export function explainOperator(node: ASTNode, summary: string): string | undefined {
  if (node.op === '!_')
    return `! turns a condition around. Expected a condition; ${isOf(node.args, summary, /!(.+)$/)}.`;
  if (node.op === '-_') return `Expected a number after -; ${isOf(node.args, summary, /-(.+)$/)}.`;
  const types = /^no such overload: (.+) (?:==|!=|<=?|>=?|in|[-+*/%]) (.+)$/.exec(summary);
  const [, leftType, rightType] = types ?? [];
  if (leftType === undefined || rightType === undefined || !isPair(node.args)) return undefined;
  const [left, right] = [
    { node: node.args[0], type: leftType },
    { node: node.args[1], type: rightType },
  ];
  const sides = [left, right].map(inWords).join(', ');
  return `${node.op} does not work here: ${sides}. ${adviceFor(node.op, left, right)}`;
}

function isOf(node: ASTNode, summary: string, pattern: RegExp): string {
  return `${shown(node)} is ${typeInWords(pattern.exec(summary)?.[1] ?? '')}`;
}

function isPair(args: unknown): args is readonly [ASTNode, ASTNode] {
  return Array.isArray(args) && args.length === 2;
}

/** A function that exists, for other values, or that does not exist. */
export function explainFunction(node: ASTNode, summary: string): string | undefined {
  if (node.op !== 'call' && node.op !== 'rcall') return undefined;
  const [name] = node.args;
  if (!Object.hasOwn(RULE_FUNCTIONS, name)) return noFunction(name);
  const { form } = RULE_FUNCTIONS[name as keyof typeof RULE_FUNCTIONS];
  if (node.op === 'rcall' && name === 'contains' && summary.includes("'list"))
    return `Write ${node.args[2][0] === undefined ? 'value' : shown(node.args[2][0])} in ${shown(node.args[1])}.`;
  const given = node.op === 'call' ? node.args[1] : node.args[2];
  const types = /\((.*)\)'$/.exec(summary)?.[1]?.split(', ') ?? [];
  const each = given.map((part, place) => `${shown(part)} is ${typeInWords(types[place] ?? '')}`);
  const reason = each.length === 0 || types.length !== given.length ? '' : ` Here ${each.join(', ')}.`;
  return `${name} does not work here. Expected ${form}.${reason}`;
}

export function noFunction(name: string): string {
  const forms = Object.values(RULE_FUNCTIONS).map(({ form }) => form);
  return `Rules have no function ${name}. They have ${forms.join(', ')}.`;
}

/** How many letters one has where the other has different ones. */
function lettersChanged(one: string, other: string): number {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end))
    end += 1;
  return Math.max(one.length, other.length) - start - end;
}

/** The one of the names that is spelled almost so. */
export function mostLike(name: string, names: readonly string[], part = (text: string) => text) {
  const wanted = part(name).toLowerCase();
  const changed = (each: string) => lettersChanged(wanted, part(each).toLowerCase());
  const best = [...names].sort((one, other) => changed(one) - changed(other))[0];
  return best !== undefined && changed(best) <= Math.min(2, (wanted.length - 1) / 2) ? best : undefined;
}

const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1);

/** The whole name that begins here, without a function that is called on it. */
export const nameAt = ({ input, start }: ASTNode): string =>
  /^[\w.]+?(?=\.\w+\(|[^\w.]|$)/.exec(input.slice(start))?.[0] ?? '';

/** A name that is no fact. */
export function explainName(name: string): string {
  if (/^(true|false)$/i.test(name)) return `Write ${name.toLowerCase()}.`;
  const similar = mostLike(name, [...FACT_NAMES, ...GROUPS]) ?? mostLike(name, FACT_NAMES, lastPart);
  const guess = similar === undefined ? `If it is a text, write "${name}".` : `Did you mean ${similar}?`;
  return `There is no fact ${name}. ${guess} Facts: ${FACT_NAMES.join(', ')}.`;
}

/** `email.nothing` */
export function explainField(node: ASTNode): string {
  if (node.op !== '.') return `Expected one of ${FACT_NAMES.join(', ')}.`;
  const group = shown(node.args[0]);
  const facts = factsOf(group);
  if (facts.length === 0) return explainPart(node);
  const name = nameAt(node.args[0]);
  const similar = mostLike(name, facts);
  const guess = similar === undefined ? '' : ` Did you mean ${similar}?`;
  return `There is no fact ${name}.${guess} Expected one of ${facts.join(', ')}.`;
}

/** `failed.size`, `email.domain.length` and other parts of values that have none. */
export function explainPart(node: ASTNode): string {
  if (node.op !== '.') return 'Rules have no [ ] behind a value. Write "value" in list, or group.fact.';
  const [of, name] = node.args;
  if (/^(size|length|count|len)$/i.test(name)) return `Write size(${shown(of)}).`;
  if (Object.hasOwn(RULE_FUNCTIONS, name))
    return `Expected ${RULE_FUNCTIONS[name as keyof typeof RULE_FUNCTIONS].form}.`;
  return `${shown(of)} has no part ${name}. Expected a comparison, such as ${shown(of)} == "x", or a function.`;
}
