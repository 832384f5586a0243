import type { UsageHour } from '../store.ts';
import type { Connection } from './connection.ts';

/**
 * The plain sums: quota, usage by the hour, rows in the log. Quotas are read once and remembered; what a batch
 * adds is written when it ends.
 */
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
  const quotas = new Map<string, { readonly key: [string, string]; used: number; unsaved: number }>();
  const usages = new Map<string, { readonly key: [string, number, string]; count: number }>();
  const logRows = new Map<string, number>();

  const quota = (project: string, month: string) => {
    const name = `${month} ${project}`;
    let entry = quotas.get(name);
    if (!entry) {
      const row = readQuota.get([project, month]) as readonly [number] | undefined;
      entry = { key: [project, month], used: row?.[0] ?? 0, unsaved: 0 };
      quotas.set(name, entry);
    }
    return entry;
  };

  return {
    quotaUsed: (project: string, month: string): number => quota(project, month).used,
    useQuota(project: string, month: string): void {
      const entry = quota(project, month);
      entry.used += 1;
      entry.unsaved += 1;
    },
    addUsage(project: string, hour: number, kind: UsageHour['kind']): void {
      const name = `${hour} ${kind} ${project}`;
      const entry = usages.get(name);
      if (entry) entry.count += 1;
      else usages.set(name, { key: [project, hour, kind], count: 1 });
    },
    addLogRow(project: string): void {
      logRows.set(project, (logRows.get(project) ?? 0) + 1);
    },
    save(): void {
      for (const entry of quotas.values()) {
        if (entry.unsaved > 0) addQuota.run([...entry.key, entry.unsaved]);
        entry.unsaved = 0;
      }
      for (const { key, count } of usages.values()) addUsage.run([...key, count]);
      for (const [project, rows] of logRows) addLogRows.run([project, rows]);
      usages.clear();
      logRows.clear();
    },
    /** Drops what is remembered and what was not written. */
    forget(): void {
      quotas.clear();
      usages.clear();
      logRows.clear();
    },
  };
}
