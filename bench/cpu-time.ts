import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** CPU time of a process and all its threads in milliseconds. Linux only. 0 for a process that has ended. */
export function cpuMsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`)
      .map(
        (thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
      )
      .reduce((sum, ms) => sum + ms, 0);
  } catch {
    return 0;
  }
}

/** The processes of PostgreSQL’s other connections. */
export async function backendsOf(watcher: pg.Client): Promise<number[]> {
  const { rows } = await watcher.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
  return rows.map(({ pid }) => pid);
}

export function memoryMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
}
