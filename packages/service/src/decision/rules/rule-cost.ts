import type { ASTNode } from '@marcbachmann/cel-js';

/** A request has far fewer signals. */
const LONGEST_FACT = 40;
/** Few facts are longer than this, except for those that are domains. */
const TEXT_OF_A_FACT = 40;
const DOMAINS: readonly string[] = ['email.domain', 'email.registrable'];
const LONGEST_DOMAIN = 254;
/** Work on up to a hundred characters. */
const TEXT_STEPS = 10;
const CHARACTERS = 100;
/** A domain, or a text that the author wrote, can have 127 labels, and a list looks each of them up. */
const LOOK_UP_STEPS = 200;
const MACROS: readonly string[] = ['exists', 'all', 'exists_one'];
const TEXT_WORK: readonly string[] = ['+', 'call', 'rcall'];

interface Cost {
  readonly steps: number;
  /** The most characters that the value can have, if it is a text, or the longest text of a list. */
  readonly characters: number;
}

/** The variable of a macro. */
interface Variable {
  readonly name: string;
  readonly characters: number;
}

/** An upper bound of the steps that an evaluation takes. What is inside `exists` counts for every element. */
export function stepsOf(node: ASTNode): number {
  const lookedUp = new Set<string>();
  return costOf(node, undefined, lookedUp).steps + lookedUp.size * LOOK_UP_STEPS;
}

/** `lookedUp` collects the look-ups whose answers are remembered, so that they take long only once. */
function costOf(node: ASTNode, variable: Variable | undefined, lookedUp: Set<string>): Cost {
  if (node.op === 'value')
    return { steps: 1, characters: typeof node.args === 'string' ? node.args.length : 0 };
  if (node.op === 'id' && node.args === variable?.name) return { steps: 1, characters: variable.characters };
  if (isFact(node, variable))
    return { steps: node.op === '.' ? 2 : 1, characters: isDomain(node) ? LONGEST_DOMAIN : TEXT_OF_A_FACT };
  if (node.op === 'rcall' && MACROS.includes(node.args[0])) return costOfMacro(node, lookedUp);
  const parts = childrenOf(node.args).map((child) => costOf(child, variable, lookedUp));
  const lengths = parts.map(({ characters }) => characters);
  const sum = lengths.reduce((total, each) => total + each, 0);
  const own = isLookUp(node) ? lookUpSteps(node, variable, lookedUp) : ownSteps(node, sum);
  const steps = parts.reduce((total, each) => total + each.steps, own);
  return { steps, characters: node.op === 'list' ? Math.max(0, ...lengths) : sum };
}

function costOfMacro(
  { args: [, list, [name, condition]] }: Extract<ASTNode, { op: 'rcall' }>,
  lookedUp: Set<string>,
): Cost {
  const { steps, characters } = costOf(list, undefined, lookedUp);
  const variable = name?.op === 'id' ? { name: name.args, characters } : undefined;
  const each = condition === undefined ? 1 : costOf(condition, variable, lookedUp).steps;
  return { steps: steps + lengthOf(list) * each, characters: 0 };
}

function ownSteps(node: ASTNode, characters: number): number {
  if (node.op === 'in') return 1 + lengthOf(node.args[1]);
  return TEXT_WORK.includes(node.op) ? TEXT_STEPS * Math.max(1, Math.ceil(characters / CHARACTERS)) : 1;
}

type CallNode = Extract<ASTNode, { op: 'call' }>;

const isLookUp = (node: ASTNode): node is CallNode => node.op === 'call' && node.args[0] === 'inList';

/** The answer about a fact or a constant is remembered. Another text can be a new one each time. */
function lookUpSteps(
  { args: [, [list, value]], input }: CallNode,
  variable: Variable | undefined,
  lookedUp: Set<string>,
): number {
  if (list === undefined || value === undefined) return TEXT_STEPS;
  if (value.op !== 'value' && !isFact(value, variable)) return LOOK_UP_STEPS;
  if (value.op === 'value' || isDomain(value))
    lookedUp.add(`${input.slice(list.start, list.end)} ${input.slice(value.start, value.end)}`);
  return TEXT_STEPS;
}

function isDomain(node: ASTNode): boolean {
  if (node.op !== '.') return false;
  const [group, field] = node.args;
  return group.op === 'id' && DOMAINS.includes(`${group.args}.${field}`);
}

function isFact(node: ASTNode, variable: Variable | undefined): boolean {
  return node.op === '.' || (node.op === 'id' && node.args !== variable?.name);
}

function lengthOf(list: ASTNode): number {
  if (list.op === '?:') return Math.max(lengthOf(list.args[1]), lengthOf(list.args[2]));
  return list.op === 'list' ? list.args.length : LONGEST_FACT;
}

/** The parts of a node are nodes, texts and lists of them. */
function childrenOf(part: unknown): ASTNode[] {
  if (Array.isArray(part)) return part.flatMap(childrenOf);
  return typeof part === 'object' && part !== null && 'op' in part ? [part as ASTNode] : [];
}

export const descendantsOf = (node: ASTNode): ASTNode[] =>
  childrenOf(node.args).flatMap((child) => [child, ...descendantsOf(child)]);
