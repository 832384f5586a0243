import { describe, expect, it } from 'vitest';
import { checksum, type Migration, pendingMigrations, SchemaMismatch } from './migration.ts';

const first: Migration = { number: 1, name: 'first', sql: 'CREATE TABLE a (b)' };
const second: Migration = { number: 2, name: 'second', sql: 'ALTER TABLE a ADD COLUMN c' };
const both = [first, second];
const applied = (migration: Migration) => ({
  number: migration.number,
  checksum: checksum(migration),
  compatibleFrom: migration.compatibleFrom ?? null,
});

describe('pending migrations', () => {
  it('are those that were not applied, in order', () => {
    expect(pendingMigrations(both, [])).toEqual([first, second]);
    expect(pendingMigrations(both, [applied(first)])).toEqual([second]);
    expect(pendingMigrations(both, [applied(first), applied(second)])).toEqual([]);
  });

  it('are refused if an applied step was edited', () => {
    const edited = applied({ ...first, sql: 'CREATE TABLE a (b, c)' });
    expect(() => pendingMigrations(both, [edited])).toThrow(SchemaMismatch);
  });

  it('do not mind steps of a newer program that are compatible with this one', () => {
    const third = { number: 3, name: 'third', sql: 'CREATE TABLE c (d)', compatibleFrom: 2 };
    expect(pendingMigrations(both, [first, second, third].map(applied))).toEqual([]);
    expect(() => pendingMigrations([first], [first, second, third].map(applied))).toThrow(
      /cannot run beside/,
    );
    const fourth = { number: 4, name: 'fourth', sql: 'DROP TABLE a', compatibleFrom: 3 };
    expect(() => pendingMigrations(both, [first, second, third, fourth].map(applied))).toThrow(
      /schema 4\) that this version cannot run beside/,
    );
  });

  it('are refused if a newer program used the database', () => {
    expect(() => pendingMigrations([first], [applied(second)])).toThrow(/newer version/);
  });
});
