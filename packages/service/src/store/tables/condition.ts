import type { SqlValue } from '../database.ts';

/** A condition on which a statement inside a transaction depends. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A condition that is true where all of them are. */
export function allOf(...conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND ') || 'TRUE',
    values: conditions.flatMap(({ values }) => values),
  };
}

export const ALWAYS: Condition = { sql: '1 = 1', values: [] };
