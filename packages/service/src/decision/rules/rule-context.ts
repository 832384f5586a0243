import type { RuleFacts } from '@postern/contract/rules';

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
