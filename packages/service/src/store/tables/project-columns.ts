import {
  type CountField,
  defaultValues,
  fieldRows,
  POLICY_FIELDS,
  PROJECT_FIELDS,
  type ProjectField,
  type ProjectFieldName,
} from '@postern/contract/project-fields';
import { integer, integerOrNull, json, type Row, type SqlValue, text } from '../database.ts';

/** A project field and its column: the field's name in snake case. */
export interface ProjectColumn {
  readonly name: ProjectFieldName | 'policy';
  readonly column: string;
  readonly read: (row: Row, column: string) => unknown;
  readonly write: (value: unknown) => SqlValue;
}

const asIs = (value: unknown) => value as SqlValue;
const asJson = (value: unknown) => JSON.stringify(value);

function columnOf(name: ProjectFieldName, field: ProjectField): ProjectColumn {
  const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (field.kind === 'count') return { name, column, read: countReader(field), write: asIs };
  if (field.kind === 'domains' || field.kind === 'list') return { name, column, read: json, write: asJson };
  return { name, column, read: text, write: asIs };
}

const countReader = (field: CountField) => (field.default === null ? integerOrNull : integer);

/** A policy that is older than a field has that field’s default. */
function readPolicy(row: Row, column: string): unknown {
  return { ...defaultValues(POLICY_FIELDS), ...(json(row, column) as object) };
}

/** The columns for the fields that people set. */
export const SETTING_COLUMNS: readonly ProjectColumn[] = [
  ...fieldRows(PROJECT_FIELDS).map(([name, field]) => columnOf(name, field)),
  { name: 'policy', column: 'policy', read: readPolicy, write: asJson },
];

export const PROJECT_COLUMNS: readonly string[] = [
  'id',
  ...SETTING_COLUMNS.map(({ column }) => column),
  'created_at',
  'archived_at',
  'version',
];
