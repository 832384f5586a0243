import { describe, expect, it } from 'vitest';
import { integer, integerOrNull, json, text, textOrNull } from './columns.ts';
import type { Row } from './database.ts';
import { tableOf } from './table-of.ts';

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
    const { sql, values } = THING.update({ projectId: 'p' }, { name: 'b', note: null }, 'RETURNING count');
    expect(sql).toBe('UPDATE thing SET name = ?, note = ? WHERE project_id = ? RETURNING count');
    expect(values).toEqual(['B', null, 'p']);
  });

  it('finds rows by a value, by one of several, by NULL, and by what SQL says besides', () => {
    const wanted = { name: ['a', 'b'], untilAt: null, projectId: 'p' };
    const { sql, values } = THING.remove(wanted, 'AND count > ?', 2);
    expect(sql).toBe(
      'DELETE FROM thing WHERE name IN (?, ?) AND until_at IS NULL AND project_id = ? AND count > ?',
    );
    expect(values).toEqual(['A', 'B', 'p', 2]);
    expect(THING.select({}, 'ORDER BY count').sql).toMatch(/ FROM thing ORDER BY count$/);
    expect(THING.select({}, 'AND count > ?', 1).sql).toMatch(/ FROM thing WHERE count > \?$/);
    expect(THING.mustHave({ count: 1 }).sql).toContain('EXISTS (SELECT 1 FROM thing WHERE count = ? )');
  });

  it('changes and deletes nothing for a value that is not there', () => {
    const unknown = { projectId: undefined } as unknown as { projectId: string };
    expect(() => THING.remove(unknown)).toThrow();
    expect(() => THING.remove({ id: 1 } as never)).toThrow('The table thing has no column id');
  });

  it('reads nothing for an empty list', async () => {
    const read = () => Promise.reject(new Error('asked'));
    await expect(THING.findAll(read, { projectId: [] })).resolves.toEqual([]);
  });

  it('quotes names of the sign-in library', () => {
    expect(tableOf('auth', { id: text, userId: text }, (field) => field).list).toBe('id, "userId"');
  });
});
