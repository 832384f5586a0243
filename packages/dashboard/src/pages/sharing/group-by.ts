import type { ValidationRow } from '@postern/contract/dashboard';

export interface Group {
  readonly hash: string;
  readonly addresses: readonly string[];
  /** How many rows found it shared. Masked addresses are no count of inboxes: many look alike. */
  readonly times: number;
  readonly lastAt: number;
}

/** Rows of one device or one inbox together, those that were seen most often first. */
export function groupBy(rows: readonly ValidationRow[], kind: 'device' | 'inbox'): Group[] {
  const groups = new Map<string, { addresses: Set<string>; times: number; lastAt: number }>();
  for (const row of rows) {
    const hash = row[kind];
    if (hash === null) continue;
    const group = groups.get(hash) ?? { addresses: new Set<string>(), times: 0, lastAt: 0 };
    group.addresses.add(row.maskedAddress);
    group.times += 1;
    group.lastAt = Math.max(group.lastAt, row.at);
    groups.set(hash, group);
  }
  return [...groups]
    .map(([hash, { addresses, times, lastAt }]) => ({ hash, addresses: [...addresses], times, lastAt }))
    .sort((a, b) => b.times - a.times || b.lastAt - a.lastAt);
}
