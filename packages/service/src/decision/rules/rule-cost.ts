import type { ASTNode } from '@marcbachmann/cel-js';

/** A request has far fewer signals. */
const LONGEST_FACT = 40;
/** Work on texts, which are longer than numbers. */
const TEXT_STEPS = 10;
const MACROS: readonly string[] = ['exists', 'all', 'exists_one'];
const TEXT_WORK: readonly string[] = ['+', 'call', 'rcall'];

/** An upper bound of the steps that an evaluation takes. What is inside `exists` counts for every element. */
export function stepsOf(node: ASTNode): number {
  const own = TEXT_WORK.includes(node.op) ? TEXT_STEPS : 1;
  if (node.op === 'rcall' && MACROS.includes(node.args[0])) {
    const [, list, [, condition]] = node.args;
    return stepsOf(list) + lengthOf(list) * (condition === undefined ? 1 : stepsOf(condition));
  }
  const inList = node.op === 'in' ? lengthOf(node.args[1]) : 0;
  return childrenOf(node.args).reduce((sum, child) => sum + stepsOf(child), own + inList);
}

function lengthOf(list: ASTNode): number {
  return list.op === 'list' ? list.args.length : LONGEST_FACT;
}

/** The parts of a node are nodes, texts and lists of them. */
function childrenOf(part: unknown): ASTNode[] {
  if (Array.isArray(part)) return part.flatMap(childrenOf);
  return typeof part === 'object' && part !== null && 'op' in part ? [part as ASTNode] : [];
}
