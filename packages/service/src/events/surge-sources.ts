import type { LogRow } from '../store/store.ts';

export interface Source {
  readonly name: string;
  readonly count: number;
  /** Many unrelated people share the domain. */
  readonly mailProvider?: true;
}

const SOURCES_TOLD = 5;

/** A person who tries again and again counts once. */
export function countPeople(rows: readonly LogRow[]): number {
  return new Set(rows.map(({ inboxHash }) => inboxHash)).size;
}

/** The names that the most people have in common. */
export function mostFrequent(rows: readonly LogRow[], nameOf: (row: LogRow) => string | null): Source[] {
  const people = new Map<string, Set<string>>();
  for (const row of rows) {
    const name = nameOf(row);
    if (name === null) continue;
    const known = people.get(name);
    if (known === undefined) people.set(name, new Set([row.inboxHash]));
    else known.add(row.inboxHash);
  }
  return largest([...people].map(([name, { size }]) => ({ name, count: size })));
}

export function mostFrequentOf(names: readonly string[]): Source[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return largest([...counts].map(([name, count]) => ({ name, count })));
}

function largest(sources: Source[]): Source[] {
  return sources.sort((one, other) => other.count - one.count).slice(0, SOURCES_TOLD);
}
