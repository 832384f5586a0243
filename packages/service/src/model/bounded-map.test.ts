import { describe, expect, it } from 'vitest';
import { BoundedMap } from './bounded-map.ts';

describe('a bounded map', () => {
  it('never has more entries than its capacity, and keeps the most recently used half', () => {
    const map = new BoundedMap<number, string>(10);
    for (let key = 0; key < 100; key += 1) {
      map.set(key, `value ${key}`);
      expect(map.size).toBeLessThanOrEqual(10);
      for (let recent = Math.max(0, key - 4); recent <= key; recent += 1) {
        expect(map.peek(recent)).toBe(`value ${recent}`);
      }
    }
    expect(map.peek(80)).toBeUndefined();
  });

  it('keeps an entry that is read with get, and drops one that is only read with peek', () => {
    const map = new BoundedMap<string, number>(10);
    map.set('got', 1);
    map.set('peeked', 2);
    for (let index = 0; index < 100; index += 1) {
      map.set(`other ${index}`, index);
      expect(map.get('got')).toBe(1);
      map.peek('peeked');
    }
    expect(map.peek('peeked')).toBeUndefined();
  });

  it('replaces a value in either generation without counting it twice', () => {
    const map = new BoundedMap<string, string>(4);
    for (const key of ['a', 'b', 'c', 'a', 'a']) map.set(key, `new ${key}`);
    expect(map.get('a')).toBe('new a');
    expect(map.size).toBe(3);
  });

  it('counts a value with the weight that the owner gives it', () => {
    const map = new BoundedMap<string, number>(10, (weight) => weight);
    map.set('heavy', 5);
    map.set('light', 1);
    map.set('heavier', 6);
    map.set('last', 1);
    expect(['heavy', 'light', 'heavier', 'last'].map((key) => map.peek(key))).toEqual([undefined, 1, 6, 1]);
    map.delete('last');
    expect(map.peek('last')).toBeUndefined();
  });

  it('drops what was not used between two calls of dropUnused', () => {
    const map = new BoundedMap<string, number>(100);
    map.set('used', 1);
    map.set('unused', 2);
    map.dropUnused();
    map.get('used');
    map.dropUnused();
    expect([map.peek('used'), map.peek('unused')]).toEqual([1, undefined]);
    map.clear();
    expect(map.size).toBe(0);
  });
});
