import type { SqlValue } from '../database.ts';

/** A condition on which a statement inside a transaction depends. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export const ALWAYS: Condition = { sql: '1 = 1', values: [] };
