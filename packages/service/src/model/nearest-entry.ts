/** The name itself or the nearest name above it that the list has. */
export function nearestEntry(name: string, list: ReadonlySet<string>): string | undefined {
  for (let rest = name; ; ) {
    if (list.has(rest)) return rest;
    const dot = rest.indexOf('.');
    if (dot < 0) return undefined;
    rest = rest.slice(dot + 1);
  }
}
