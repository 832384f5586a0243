import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { checksum } from './migration.ts';
import { postgresMigrations, sqliteMigrations } from './schemas.ts';

/**
 * Every released step with its checksum, which is also stored in the databases that applied it. A release adds its
 * steps. A line never changes: databases that applied the old text would refuse to open. Nothing is released yet.
 */
const RELEASED: Readonly<Record<string, readonly string[]>> = { PostgreSQL: [], SQLite: [] };

const ENGINES = [
  ['PostgreSQL', postgresMigrations],
  ['SQLite', sqliteMigrations],
] as const;

it.each(ENGINES)('the migrations of %s have not changed since they were released', (engine, migrations) => {
  const released = RELEASED[engine] ?? [];
  const steps = migrations.map((step) => `${step.number} ${step.name} ${checksum(step)}`);
  expect(steps.slice(0, released.length)).toEqual(released);
});

it.each(ENGINES)('the migrations of %s are numbered from 1 on', (_engine, migrations) => {
  expect(migrations.map(({ number }) => number)).toEqual(migrations.map((_, index) => index + 1));
});

it('every SQL file is a step, or what only PostgreSQL has of one', () => {
  const files = readdirSync(new URL('./migrations/', import.meta.url)).filter((name) =>
    name.endsWith('.sql'),
  );
  const steps = sqliteMigrations.map(({ number, name }) =>
    `${number}-${name.replaceAll(' ', '-')}`.padStart(name.length + 5, '0'),
  );
  expect([...new Set(files.map((name) => name.replace(/(\.postgres)?\.sql$/, '')))]).toEqual(steps);
});

it.each(ENGINES)('docs/upgrading.md lists the migrations of %s', (engine, migrations) => {
  const notes = readFileSync(new URL('../../../../docs/upgrading.md', import.meta.url), 'utf8');
  for (const { number, name } of migrations) expect(notes).toContain(`| ${engine} | ${number} ${name} |`);
});
