import type { UsageHour } from '../store.ts';
import type { Connection } from './connection.ts';
import { createCache } from './value-cache.ts';

/** The plain sums: quota, usage by the hour, rows in the log. What a batch adds is written when it ends. */
export function batchCounters(connection: Connection) {
  const readQuota = connection.prepare('SELECT used FROM quota WHERE project_id = ? AND month = ?').raw(true);
  const addQuota = connection.prepare(
    `INSERT INTO quota (project_id, month, used) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET used = used + excluded.used`,
  );
  const addUsage = connection.prepare(
    `INSERT INTO usage_hour (project_id, hour, kind, count) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET count = count + excluded.count`,
  );
  const addLogRows = connection.prepare(
    `INSERT INTO log_total (project_id, rows) VALUES (?, ?) ON CONFLICT DO UPDATE SET rows = rows + excluded.rows`,
  );
  const quotas = createCache((project, month) => {
    const row = readQuota.get([project, month]) as readonly [number] | undefined;
    return { project, month, used: row?.[0] ?? 0, unsaved: 0 };
  });
  const usages = new Map<string, { readonly key: [string, number, string]; count: number }>();
  const logRows = new Map<string, number>();

  return {
    quotaUsed: (project: string, month: string): number => quotas.get(project, month).used,
    useQuota(project: string, month: string): void {
      const quota = quotas.get(project, month);
      quota.used += 1;
      quota.unsaved += 1;
    },
    addUsage(project: string, hour: number, kind: UsageHour['kind']): void {
      const name = `${hour} ${kind} ${project}`;
      const usage = usages.get(name);
      if (usage) usage.count += 1;
      else usages.set(name, { key: [project, hour, kind], count: 1 });
    },
    addLogRow(project: string): void {
      logRows.set(project, (logRows.get(project) ?? 0) + 1);
    },
    save(): void {
      for (const quota of quotas.values()) {
        if (quota.unsaved > 0) addQuota.run([quota.project, quota.month, quota.unsaved]);
        quota.unsaved = 0;
      }
      for (const { key, count } of usages.values()) addUsage.run([...key, count]);
      for (const [project, rows] of logRows) addLogRows.run([project, rows]);
      usages.clear();
      logRows.clear();
    },
    /** Drops cached and unwritten values. */
    clear(): void {
      quotas.clear();
      usages.clear();
      logRows.clear();
    },
  };
}
