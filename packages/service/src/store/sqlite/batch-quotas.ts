import type { Connection } from './connection.ts';
import { createCache } from './value-cache.ts';

/** The projects’ quotas. What a batch uses of them is written when it ends. */
export function batchQuotas(connection: Connection) {
  const read = connection.prepare('SELECT used FROM quota WHERE project_id = ? AND month = ?').raw(true);
  const add = connection.prepare(
    `INSERT INTO quota (project_id, month, used) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET used = used + excluded.used`,
  );
  const quotas = createCache((project, month) => {
    const row = read.get([project, month]) as readonly [number] | undefined;
    return { project, month, used: row?.[0] ?? 0, unsaved: 0 };
  });

  return {
    used: (project: string, month: string): number => quotas.get(project, month).used,
    use(project: string, month: string): void {
      const quota = quotas.get(project, month);
      quota.used += 1;
      quota.unsaved += 1;
    },
    save(): void {
      for (const quota of quotas.values()) {
        if (quota.unsaved > 0) add.run([quota.project, quota.month, quota.unsaved]);
        quota.unsaved = 0;
      }
    },
    /** Drops cached and unwritten values. */
    clear(): void {
      quotas.clear();
    },
  };
}
