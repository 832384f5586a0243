import { defaultValues, POLICY_FIELDS } from '@postern/contract/project-fields';
import { json } from '../columns.ts';
import type { Row } from '../database.ts';

/** A policy that is older than a field has that field’s default. */
export function policyColumn<T>(row: Row, column: string): T {
  return { ...defaultValues(POLICY_FIELDS), ...json<object>(row, column) } as T;
}
