import type { Migration } from './migration.ts';
import { tables as postgresTables } from './postgres/migrations/0001-tables.ts';
import { tables as sqliteTables } from './sqlite/migrations/0001-tables.ts';

/** The steps of each back end’s schema, numbered from 1 on. */
export const postgresMigrations: readonly Migration[] = [postgresTables];
export const sqliteMigrations: readonly Migration[] = [sqliteTables];
