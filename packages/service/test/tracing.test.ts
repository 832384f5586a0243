import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestProject, type TestService } from './support/service.ts';

interface OtlpSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

/** A receiver of OTLP over HTTP, as a collector is one. */
async function startCollector() {
  const bodies: string[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const spans = (): OtlpSpan[] =>
    bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: OtlpSpan[] }[] }) =>
        scopeSpans.flatMap((scope) => scope.spans),
      ),
    );
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, spans, close };
}

let collector: Awaited<ReturnType<typeof startCollector>>;
let service: TestService;
let project: TestProject;
beforeAll(async () => {
  collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, POSTERN_TRACEPARENT: 'continue' };
  service = await startService({ env });
  project = await service.makeProject();
});
afterAll(async () => {
  await service.close();
  await collector.close();
});

it('sends a span for the request, its checks, its DNS look-up and its store calls, under the caller’s trace', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const email = 'private.person@mail-house.net';
  const answer = await project.validate(
    { email, ip: '203.0.113.77', fingerprintHash: 'device-of-a-person' },
    { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, 'x-request-id': 'request-of-a-person' },
  );
  expect(answer.status).toBe(200);
  const ofTrace = () => collector.spans().filter((span) => span.traceId === traceId);
  await expect.poll(() => ofTrace().map(({ name }) => name), { timeout: 60_000 }).toContain('POST /validate');

  const root = ofTrace().find(({ name }) => name === 'POST /validate');
  expect(root).toMatchObject({ parentSpanId: '00f067aa0ba902b7', kind: 2 });
  expect(
    Object.fromEntries(root?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? []),
  ).toEqual({
    'http.request.method': 'POST',
    'http.route': '/validate',
    'http.response.status_code': 200,
    'postern.answer': 'allow',
  });
  const names = ofTrace().map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      'store find key',
      'checks',
      'check syntax',
      'check mx',
      'dns mail route',
      'store settle',
    ]),
  );
  const ids = new Set(ofTrace().map(({ spanId }) => spanId));
  for (const { parentSpanId, name, startTimeUnixNano, endTimeUnixNano } of ofTrace()) {
    if (name !== 'POST /validate') expect(ids, name).toContain(parentSpanId);
    expect(BigInt(endTimeUnixNano), name).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
  }

  const sent = collector.bodies.join('');
  for (const secret of [
    'private.person',
    'mail-house',
    '203.0.113',
    'of-a-person',
    project.serverKey,
    project.id,
  ])
    expect(sent).not.toContain(secret);
});

it('leaves out what the caller’s trace does not record', async () => {
  const unsampled = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
  const sampled = 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
  const trace = (id: string, flags: string) => ({ traceparent: `00-${id}-00f067aa0ba902b7-${flags}` });
  await project.validate({ email: 'jane.doe@gmail.com' }, trace(unsampled, '00'));
  await project.validate({ email: 'jane.doe@gmail.com' }, trace(sampled, '01'));
  const traces = () => new Set(collector.spans().map(({ traceId }) => traceId));
  await expect.poll(traces, { timeout: 60_000 }).toContain(sampled);
  expect(traces()).not.toContain(unsampled);
});

describe('a caller that is not trusted', () => {
  const traceparent = `00-${'c'.repeat(32)}-00f067aa0ba902b7-01`;

  it('cannot have a request recorded that the sampler leaves out, not even with a wrong key', async () => {
    const own = await startCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: own.url, OTEL_TRACES_SAMPLER_ARG: '0' };
    const started = await startService({ env });
    const shop = await started.makeProject();
    for (let index = 0; index < 20; index += 1) {
      expect((await shop.validate({ email: 'jane.doe@gmail.com' }, { traceparent })).status).toBe(200);
      const wrong = { traceparent, authorization: 'Bearer wrong' };
      expect((await shop.validate({ email: 'jane.doe@gmail.com' }, wrong)).status).toBe(401);
    }
    // The end of the process sends what is left.
    await started.close();
    expect(own.spans()).toEqual([]);
    await own.close();
  });

  it('finds its trace again by the link of the request’s own', async () => {
    const own = await startCollector();
    const started = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: own.url } });
    const shop = await started.makeProject();
    await shop.validate({ email: 'jane.doe@gmail.com' }, { traceparent });
    await shop.validate({ email: 'jane.doe@gmail.com' });
    await started.close();
    const roots = own.spans().filter(({ name }) => name === 'POST /validate');
    expect(roots.map(({ parentSpanId }) => parentSpanId ?? '')).toEqual(['', '']);
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(2);
    expect(roots.map(({ traceId }) => traceId)).not.toContain('c'.repeat(32));
    expect(roots.flatMap(({ links }) => links ?? [])).toEqual([
      expect.objectContaining({ traceId: 'c'.repeat(32), spanId: '00f067aa0ba902b7' }),
    ]);
    await own.close();
  });
});

it('says once that nobody takes the traces', async () => {
  const service = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } });
  await (await service.makeProject()).validate({ email: 'jane.doe@gmail.com' });
  const said = 'could not send traces to OTEL_EXPORTER_OTLP_ENDPOINT';
  await expect.poll(() => service.output(), { timeout: 30_000 }).toContain(said);
  await service.stop();
  expect(service.output().match(/could not send traces to OTEL_EXPORTER_OTLP_ENDPOINT/g)).toHaveLength(1);
  await service.close();
});

it('without the setting the service does not need OpenTelemetry; with it, the start says what is missing', async () => {
  const NODE_OPTIONS = `--import=${new URL('./support/no-open-telemetry.mjs', import.meta.url).href}`;
  const plain = await startService({ env: { NODE_OPTIONS } });
  const own = await plain.makeProject();
  expect((await own.validate({ email: 'jane.doe@gmail.com' })).status).toBe(200);
  await plain.close();
  const env = { NODE_OPTIONS, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  await expect(startService({ env })).rejects.toThrow(/packages of OpenTelemetry are not installed/);
});
