import { describe, expect, it } from 'vitest';
import { checksum, type Migration, pendingMigrations, SchemaMismatch } from './migration.ts';

const first: Migration = { number: 1, name: 'first', sql: 'CREATE TABLE a (b)' };
const second: Migration = { number: 2, name: 'second', sql: 'ALTER TABLE a ADD COLUMN c' };
const line = { name: 'store', migrations: [first, second] };
const applied = (migration: Migration) => ({ number: migration.number, checksum: checksum(migration) });

describe('pending migrations', () => {
  it('are those that were not applied, in order', () => {
    expect(pendingMigrations(line, [])).toEqual([first, second]);
    expect(pendingMigrations(line, [applied(first)])).toEqual([second]);
    expect(pendingMigrations(line, [applied(first), applied(second)])).toEqual([]);
  });

  it('are refused if an applied step was edited', () => {
    const edited = { number: 1, checksum: checksum({ ...first, sql: 'CREATE TABLE a (b, c)' }) };
    expect(() => pendingMigrations(line, [edited])).toThrow(SchemaMismatch);
  });

  it('are refused if a newer program used the database', () => {
    expect(() => pendingMigrations({ ...line, migrations: [first] }, [applied(second)])).toThrow(
      /newer version/,
    );
  });
});
