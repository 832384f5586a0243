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
