import type { ComponentHealth } from '@postern/contract/dashboard';
import type { FastifyInstance } from 'fastify';

/** What `/readyz`, the dashboard and `doctor` report. */
export interface HealthReport {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  /** The names of the unhealthy parts. */
  readonly degraded: readonly string[];
  readonly parts: Readonly<Record<string, ComponentHealth>>;
}

export type ReadHealth = () => Promise<HealthReport>;

export function healthReport(parts: Readonly<Record<string, ComponentHealth>>): HealthReport {
  const degraded = Object.entries(parts).filter(([, part]) => part.status !== 'ok');
  const down = degraded.some(([, part]) => part.status === 'down');
  return {
    status: down ? 'unavailable' : degraded.length > 0 ? 'degraded' : 'ready',
    degraded: degraded.map(([name]) => name),
    parts,
  };
}

export function addHealthRoutes(
  server: FastifyInstance,
  readHealth: ReadHealth,
  build: { readonly version: string; readonly commit: string | null },
): void {
  server.get('/healthz', { exposeHeadRoute: true }, async () => ({ status: 'alive' }));
  server.get('/readyz', { exposeHeadRoute: true }, async (_request, reply) => {
    const report = await readHealth();
    return reply
      .code(report.status === 'unavailable' ? 503 : 200)
      .type('application/json; charset=utf-8')
      .send(
        JSON.stringify({ ...report, ...build }, (_name, value) =>
          typeof value === 'string' ? withoutPaths(value) : value,
        ),
      );
  });
}

/** A file path (`/var/lib/…`), but not the path of a URL. */
const FILE_PATH = /(?<![\w:/.])\/[^\s:,;"'“”‘’()]+/g;

/** `/readyz` is public, so it does not reveal file paths. */
function withoutPaths(text: string): string {
  return text.replace(FILE_PATH, '[path]');
}
