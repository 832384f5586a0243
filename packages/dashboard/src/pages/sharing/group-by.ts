import type { ValidationRow } from '@postern/contract/dashboard';

export interface Group {
  readonly hash: string;
  readonly addresses: readonly string[];
  readonly lastAt: number;
}

/** Rows of one device or one inbox together, those with the most addresses first. */
export function groupBy(rows: readonly ValidationRow[], kind: 'device' | 'inbox'): Group[] {
  const groups = new Map<string, { addresses: Set<string>; lastAt: number }>();
  for (const row of rows) {
    const hash = row[kind];
    if (hash === null) continue;
    const group = groups.get(hash) ?? { addresses: new Set<string>(), lastAt: 0 };
    group.addresses.add(row.maskedAddress);
    group.lastAt = Math.max(group.lastAt, row.at);
    groups.set(hash, group);
  }
  return [...groups]
    .map(([hash, { addresses, lastAt }]) => ({ hash, addresses: [...addresses], lastAt }))
    .sort((a, b) => b.addresses.length - a.addresses.length || b.lastAt - a.lastAt);
}
