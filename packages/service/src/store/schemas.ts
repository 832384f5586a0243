import type { Migration } from './migration.ts';
import { tables } from './migrations/0001-tables.ts';
import { webhookNames } from './migrations/0002-webhook-names.ts';
import { tokenScopes } from './migrations/0003-token-scopes.ts';
import { type Dialect, inDialect } from './migrations/dialect.ts';

/** The steps of a back end’s schema, numbered from 1 on. */
const stepsIn = (dialect: Dialect): readonly Migration[] => [
  tables(dialect),
  ...[webhookNames, tokenScopes].map((step) => ({ ...step, sql: inDialect(dialect, step.sql) })),
];

export const postgresMigrations = stepsIn('postgres');
export const sqliteMigrations = stepsIn('sqlite');
