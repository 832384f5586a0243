import type { Connection } from './connection.ts';

export interface CachedKey {
  readonly keyVersion: number;
  readonly projectVersion: number;
  lastUsedAt: number | null;
}

/** The versions of live keys of live projects, read once and kept until they are to be forgotten. */
export function cachedKeys(connection: Connection) {
  const versions = connection
    .prepare(
      `SELECT k.version, p.version, k.last_used_at FROM api_key k JOIN project p ON p.id = k.project_id
       WHERE k.project_id = ? AND k.id = ? AND k.revoked_at IS NULL AND p.archived_at IS NULL`,
    )
    .raw(true);
  const known = new Map<string, CachedKey | undefined>();

  return {
    forget(): void {
      known.clear();
    },
    find(projectId: string, keyId: string): CachedKey | undefined {
      const name = `${projectId} ${keyId}`;
      if (known.has(name)) return known.get(name);
      const row = versions.get([projectId, keyId]) as readonly [number, number, number | null] | undefined;
      const key = row && { keyVersion: row[0], projectVersion: row[1], lastUsedAt: row[2] };
      known.set(name, key);
      return key;
    },
  };
}
