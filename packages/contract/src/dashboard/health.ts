/** One part of the service and its state. */
export interface ComponentHealth {
  readonly status: 'ok' | 'degraded' | 'down';
  /** What is wrong and what to do. Absent if the part is healthy. */
  readonly message?: string;
  readonly [fact: string]: unknown;
}
export interface HealthView {
  status: 'ready' | 'degraded' | 'unavailable';
  version: string;
  parts: {
    name: string;
    status: 'ok' | 'degraded' | 'down';
    message: string | null;
    facts: Record<string, unknown>;
  }[];
  feeds: {
    name: string;
    list: string;
    entries: number;
    fetchedAt: number | null;
    error: string | null;
    stale: boolean;
  }[];
}
