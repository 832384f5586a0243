import { describe, expect, it } from 'vitest';
import { integer, integerOrNull, json, type Row, text, textOrNull } from './database.ts';
import { asNamed, tableOf } from './table-of.ts';

const upper = Object.assign((row: Row, column: string) => text(row, column).toLowerCase(), {
  write: (value: string) => value.toUpperCase(),
});

const THING = tableOf('thing', {
  projectId: text,
  name: upper,
  count: integer,
  untilAt: integerOrNull,
  note: textOrNull,
  tags: json<readonly string[]>,
});

describe('a declared table', () => {
  const row = { projectId: 'p', name: 'a', count: 2, tags: ['x'] };

  it('inserts every column, and NULL for what is left out', () => {
    const { sql, values } = THING.insert(row, { suffix: 'RETURNING count' });
    expect(sql).toBe(
      'INSERT INTO thing (project_id, name, count, until_at, note, tags) VALUES (?, ?, ?, ?, ?, ?) RETURNING count',
    );
    expect(values).toEqual(['p', 'A', 2, null, null, '["x"]']);
  });

  it('states the types of values that it inserts on a condition', () => {
    const { sql, values } = THING.insert(row, { when: { sql: 'EXISTS (SELECT ?)', values: [1] } });
    expect(sql).toContain('CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS BIGINT), ');
    expect(sql).toContain('WHERE EXISTS (SELECT ?)');
    expect(values.at(-1)).toBe(1);
  });

  it('reads the row that it wrote, also from a join', () => {
    const stored = { project_id: 'p', name: 'A', count: 2, until_at: null, note: null, tags: '["x"]' };
    const read = { ...row, untilAt: null, note: null };
    expect(THING.fromRow(stored)).toEqual(read);
    const prefixed = Object.fromEntries(Object.entries(stored).map(([name, value]) => [`t_${name}`, value]));
    expect(THING.fromPrefixed(prefixed, 't_')).toEqual(read);
    expect(THING.prefixed('t', 't_')).toMatch(/^t\.project_id AS t_project_id, /);
  });

  it('updates only what is given, NULL included', () => {
    expect(THING.assignments({ name: 'b', note: null })).toEqual({
      columns: ['name = ?', 'note = ?'],
      values: ['B', null],
    });
  });

  it('quotes names of the sign-in library', () => {
    expect(tableOf('auth', { id: text, userId: text }, asNamed).list).toBe('id, "userId"');
  });
});
