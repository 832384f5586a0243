import type { AdministeredStore } from '../../src/store/administered-store.ts';
import type { TestDatabase } from './store-fixtures.ts';

export interface NotedOperations {
  /** A database whose stores note which of their operations are called. */
  of(database: TestDatabase): TestDatabase;
  /** The operations that were never called, as `log.page`. */
  uncalled(): string[];
}

export function noteOperations(): NotedOperations {
  const known = new Set<string>();
  const called = new Set<string>();
  const noting = <T extends object>(part: T, prefix: string): T => {
    const entries = Object.entries(part).map(([name, value]) => {
      const path = `${prefix}${name}`;
      if (typeof value === 'object' && value !== null) return [name, noting(value, `${path}.`)];
      if (typeof value !== 'function') return [name, value];
      known.add(path);
      const noted = (...words: unknown[]) => {
        called.add(path);
        return value(...words);
      };
      return [name, noted];
    });
    return Object.fromEntries(entries);
  };
  return {
    of: (database) => ({
      ...database,
      open: async () => noting<AdministeredStore>(await database.open(), ''),
    }),
    uncalled: () => [...known].filter((path) => !called.has(path)).sort(),
  };
}
