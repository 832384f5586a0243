import type { ASTNode } from '@marcbachmann/cel-js';
import { shown } from './explain-types.ts';
import { ExpressionError } from './rule-context.ts';

type ValueType = 'string' | 'int' | 'double' | 'bool' | 'list';

const TYPES: readonly string[] = ['string', 'int', 'double', 'bool'] satisfies ValueType[];

/** The type that the library’s checker found. It notes it at the node, which its declarations leave out. */
export function typeOf(node: ASTNode): ValueType {
  const { name } = (node as { readonly checkedType?: { readonly name: string } }).checkedType ?? {};
  if (name?.startsWith('list<')) return 'list';
  if (name === undefined || !TYPES.includes(name))
    throw new ExpressionError(node.start, `The type of ${shown(node)} cannot be determined.`);
  return name as ValueType;
}
