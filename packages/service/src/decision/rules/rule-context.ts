import type { ASTNode } from '@marcbachmann/cel-js';
import type { RuleFactName, RuleFacts } from '@postern/contract/rules';
import { shown } from './explain-types.ts';

/** What a rule’s expression looks at. */
export interface RuleContext {
  readonly facts: RuleFacts;
  /** Whether the project’s list of that name covers the value. Made for one request: its answers are remembered. */
  readonly inList: (name: string, value: string | number) => boolean;
}

/** What a mistake found while compiling throws. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly start: number;

  constructor(start: number, message: string) {
    super(message);
    this.start = start;
  }
}

export type Value = string | number | boolean | readonly Value[];

/** A compiled part of an expression. `variable` is the element that a macro is looking at. */
export type Run = (context: RuleContext, variable: Value) => Value;

/** What an expression looks at. */
export class FactUse {
  readonly facts = new Set<RuleFactName>();
  /** Single words of the lists of signals and of failed checks. */
  readonly words = { signals: new Set<string>(), failed: new Set<string>() };
  /** The project’s lists that it names, and where each is named first. */
  readonly lists = new Map<string, number>();

  add(name: RuleFactName): void {
    this.facts.add(name);
  }

  addWord(list: 'signals' | 'failed', word: string): void {
    this.words[list].add(word);
  }
}

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
