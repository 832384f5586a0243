/** What was read from a table, kept by project and key until `clear`. */
export interface Cache<Value> {
  get(project: string, key: string): Value;
  values(): Iterable<Value>;
  clear(): void;
}

/** Reads each value once, when it is first asked for. */
export function createCache<Value>(read: (project: string, key: string) => Value): Cache<Value> {
  const cached = new Map<string, Value>();
  return {
    get(project, key) {
      const name = `${key} ${project}`;
      if (cached.has(name)) return cached.get(name) as Value;
      const value = read(project, key);
      cached.set(name, value);
      return value;
    },
    values: () => cached.values(),
    clear: () => cached.clear(),
  };
}
