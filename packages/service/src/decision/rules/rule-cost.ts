import type { ASTNode } from '@marcbachmann/cel-js';

/** A request has far fewer signals. */
const LONGEST_FACT = 40;
/** Few facts are longer. */
const TEXT_OF_A_FACT = 40;
/** Work on up to a hundred characters. */
const TEXT_STEPS = 10;
const CHARACTERS = 100;
/** A text that the author wrote can have a hundred labels, and a list looks each of them up. */
const WRITTEN_LOOK_UP_STEPS = 200;
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
  return costOf(node, undefined).steps;
}

function costOf(node: ASTNode, variable: Variable | undefined): Cost {
  if (node.op === 'value')
    return { steps: 1, characters: typeof node.args === 'string' ? node.args.length : 0 };
  if (node.op === 'id' && node.args === variable?.name) return { steps: 1, characters: variable.characters };
  if (isFact(node, variable)) return { steps: node.op === '.' ? 2 : 1, characters: TEXT_OF_A_FACT };
  if (node.op === 'rcall' && MACROS.includes(node.args[0])) return costOfMacro(node);
  const parts = childrenOf(node.args).map((child) => costOf(child, variable));
  const lengths = parts.map(({ characters }) => characters);
  const sum = lengths.reduce((total, each) => total + each, 0);
  const steps = parts.reduce((total, each) => total + each.steps, ownSteps(node, sum, variable));
  return { steps, characters: node.op === 'list' ? Math.max(0, ...lengths) : sum };
}

function costOfMacro({ args: [, list, [name, condition]] }: Extract<ASTNode, { op: 'rcall' }>): Cost {
  const { steps, characters } = costOf(list, undefined);
  const variable = name?.op === 'id' ? { name: name.args, characters } : undefined;
  const each = condition === undefined ? 1 : costOf(condition, variable).steps;
  return { steps: steps + lengthOf(list) * each, characters: 0 };
}

function ownSteps(node: ASTNode, characters: number, variable: Variable | undefined): number {
  if (node.op === 'in') return 1 + lengthOf(node.args[1]);
  const value = node.op === 'call' && node.args[0] === 'inList' ? node.args[1][1] : undefined;
  if (value !== undefined && !isFact(value, variable)) return WRITTEN_LOOK_UP_STEPS;
  return TEXT_WORK.includes(node.op) ? TEXT_STEPS * Math.max(1, Math.ceil(characters / CHARACTERS)) : 1;
}

function isFact(node: ASTNode, variable: Variable | undefined): boolean {
  return node.op === '.' || (node.op === 'id' && node.args !== variable?.name);
}

function lengthOf(list: ASTNode): number {
  return list.op === 'list' ? list.args.length : LONGEST_FACT;
}

/** The parts of a node are nodes, texts and lists of them. */
function childrenOf(part: unknown): ASTNode[] {
  if (Array.isArray(part)) return part.flatMap(childrenOf);
  return typeof part === 'object' && part !== null && 'op' in part ? [part as ASTNode] : [];
}
