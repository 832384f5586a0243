import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { METRICS } from '../src/metrics/metric-table.ts';
import { type PostgresServer, type PostgresTestDatabase, sharedPostgresServer } from './support/postgres.ts';
import { startService, type TestService } from './support/service.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Name and type of each of our metrics in the text for Prometheus. */
function declared(text: string): string[] {
  return [...text.matchAll(/^# TYPE (postern_\w+) (\w+)$/gm)]
    .map(([, name, type]) => `${name} ${type}`)
    .sort();
}

const TABLE = METRICS.map(({ name, type }) => `${name} ${type}`).sort();

describe('the table of metrics', () => {
  it.each(['1', '2'])('holds exactly the metrics that a service with %s workers has', async (workers) => {
    const service = await startService({ env: { POSTERN_WORKERS: workers } });
    try {
      const { text } = await service.ask({ path: '/metrics' });
      expect(declared(text)).toEqual(TABLE);
      // No metric is declared twice, which Prometheus would refuse.
      expect(new Set(text.match(/^# TYPE \S+/gm)).size).toBe(text.match(/^# TYPE \S+/gm)?.length);
    } finally {
      await service.close();
    }
  });

  it.each(['deploy/grafana/postern.json', 'deploy/prometheus/postern.rules.yml'])(
    'holds every metric and label that %s uses',
    (file) => {
      const series = new Map<string, readonly string[]>();
      for (const { name, type, labels } of METRICS) {
        if (type !== 'histogram') series.set(name, labels);
        else for (const part of ['bucket', 'sum', 'count']) series.set(`${name}_${part}`, [...labels, 'le']);
      }
      const text = read(file).replaceAll('\\"', '"');
      const used = [...text.matchAll(/(postern_[a-z_]+)(?:\{([^}]*)\})?/g)];
      expect(used.length).toBeGreaterThan(10);
      for (const [, name = '', selector = ''] of used) {
        expect([...series.keys()]).toContain(name);
        const labels = [...selector.matchAll(/(\w+)\s*=/g)].map(([, label]) => label);
        for (const label of labels) expect([...(series.get(name) ?? []), 'instance', 'job']).toContain(label);
      }
    },
  );
});

describe('metrics of a store that fails', () => {
  let server: PostgresServer;
  let database: PostgresTestDatabase;
  let service: TestService;
  beforeAll(async () => {
    server = await sharedPostgresServer();
    database = await server.database();
    service = await startService({ realDeadlines: true, env: { POSTERN_DATABASE_URL: database.url } });
  });
  afterAll(async () => {
    await service?.close();
    await server?.remove();
  });

  const seriesValue = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')
        .at(-1),
    );

  it('are still there, and say what failed and how many requests it cost', async () => {
    const project = await service.makeProject();
    expect((await project.validateFromPage({ email: 'jane.doe@gmail.com' })).status).toBe(200);
    // On a busy machine a call may have failed during the start. The store is up again five seconds later.
    const before = await vi.waitFor(
      async () => {
        const { text } = await service.ask({ path: '/metrics' });
        expect(seriesValue(text, 'postern_store_up')).toBe(1);
        return text;
      },
      { timeout: 120_000, interval: 200 },
    );
    expect(seriesValue(before, 'postern_store_settle_seconds_count')).toBe(1);
    expect(seriesValue(before, 'postern_store_bytes')).toBeGreaterThan(1_000_000);
    expect(seriesValue(before, 'postern_store_connections{state="idle"}')).toBeGreaterThan(0);
    expect(seriesValue(before, 'postern_verdicts_signed_total')).toBe(1);

    await database.remove();
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(503);
    expect((await project.validate({ email: 'jane.doe@gmail.com' })).status).toBe(503);
    const { status, text } = await service.ask({ path: '/metrics' });
    expect(status).toBe(200);
    expect(seriesValue(text, 'postern_store_up')).toBe(0);
    expect(seriesValue(text, 'postern_unavailable_total{reason="store"}')).toBe(2);
    expect(seriesValue(text, 'postern_store_failures_total{code="3D000"}')).toBeGreaterThan(0);
    expect(text).toContain('postern_http_requests_total{');
  });
});
