import { existsSync, readFileSync } from 'node:fs';
import type { Migration } from './migration.ts';
import { type Dialect, inDialect } from './migrations/dialect.ts';

/**
 * The steps of the schema, numbered from 1 on. The SQL of each is in `migrations/0001-tables.sql`, and what only PostgreSQL has
 * beside it in `0001-tables.postgres.sql`.
 */
const STEPS: readonly Omit<Migration, 'sql'>[] = [{ number: 1, name: 'tables' }];

/** Works from the source and from the build, which copies the files. */
const FOLDER = new URL('./migrations/', import.meta.url);

const stepsIn = (dialect: Dialect): readonly Migration[] =>
  STEPS.map((step) => {
    const name = `${String(step.number).padStart(4, '0')}-${step.name.replaceAll(' ', '-')}`;
    const own = new URL(`${name}.postgres.sql`, FOLDER);
    const common = inDialect(dialect, readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8'));
    return {
      ...step,
      sql: dialect === 'postgres' && existsSync(own) ? common + readFileSync(own, 'utf8') : common,
    };
  });

export const postgresMigrations = stepsIn('postgres');
export const sqliteMigrations = stepsIn('sqlite');
