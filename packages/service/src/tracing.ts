import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Context, Span, SpanOptions } from '@opentelemetry/api';
import type { InspectRequest } from './checks/inspect-request.ts';
import type { Config } from './config.ts';
import type { HttpRequest } from './http/http-message.ts';
import type { Validate } from './http/validate.ts';
import type { Log } from './log.ts';
import type { MailLookup } from './lookup/dns/mail-lookup.ts';
import { type Store, StoreUnavailable } from './store/store.ts';
import { VERSION } from './version.ts';

type TracedStore = Pick<Store, 'findKey' | 'settle' | 'refund'>;

/** Wraps the parts of a request in spans. Their attributes never name a person, an address, a key or a project. */
export interface Tracing {
  readonly validate: (validate: Validate) => Validate;
  readonly inspect: (inspect: InspectRequest) => InspectRequest;
  readonly mailRoute: (route: MailLookup['route']) => MailLookup['route'];
  readonly store: (store: TracedStore) => TracedStore;
  /** Sends what is left. */
  readonly close: () => Promise<void>;
}

/** Without the setting every part stays as it is, and no package is loaded. */
const OFF: Tracing = {
  validate: (validate) => validate,
  inspect: (inspect) => inspect,
  mailRoute: (route) => route,
  store: (store) => store,
  close: async () => {},
};

/** A collector that does not answer must not hold up the end of the service. */
const LAST_EXPORT_MS = 3_000;
const EXPORT_TIMEOUT_MS = 10_000;
const SAY_EVERY_MS = 3_600_000;

export async function openTracing(
  config: Pick<Config, 'tracing' | 'databaseUrl'>,
  log: Pick<Log, 'warn'>,
): Promise<Tracing> {
  if (config.tracing === undefined) return OFF;
  const { close, ...spans } = await startSpans(config.tracing, log);
  const { root, child, childAt, fail } = spans;
  const database = { 'db.system.name': config.databaseUrl === undefined ? 'sqlite' : 'postgresql' };
  const stored = <T>(operation: string, work: () => Promise<T>) =>
    child(`store ${operation}`, { ...database, 'db.operation.name': operation }, async (span) => {
      try {
        return await work();
      } catch (error) {
        fail(span, error instanceof StoreUnavailable ? error.code : 'fault');
        throw error;
      }
    });

  return {
    validate: (validate) => (incoming) =>
      root(incoming, async (span) => {
        try {
          const answer = await validate(incoming);
          span.setAttributes({
            'http.response.status_code': answer.status,
            'postern.answer': answer.label,
          });
          if (answer.status >= 500) fail(span, answer.label);
          return answer;
        } catch (error) {
          fail(span, error instanceof StoreUnavailable ? 'UNAVAILABLE' : 'fault');
          throw error;
        }
      }),
    inspect: (inspect) => (request, mode) =>
      child('checks', {}, async () => {
        const began = Date.now();
        const inspection = await inspect(request, mode);
        for (const { check, finding, latencyMs } of inspection.runs)
          childAt(`check ${check}`, began, latencyMs, { 'postern.check.result': finding.result });
        return inspection;
      }),
    mailRoute: (route) => (domain, projectId, onGone) => {
      const found = route(domain, projectId, onGone);
      // A cached route takes no time.
      if (!(found instanceof Promise)) return found;
      return child('dns mail route', {}, async (span) => {
        const answer = await found;
        span.setAttribute('postern.dns.status', answer.status);
        return answer;
      });
    },
    store: (store) => ({
      findKey: (hash, timeoutMs) => stored('find key', () => store.findKey(hash, timeoutMs)),
      settle: (submission, timeoutMs) => stored('settle', () => store.settle(submission, timeoutMs)),
      refund: (projectId, month) => stored('refund', () => store.refund(projectId, month)),
    }),
    close,
  };
}

/** Loads OpenTelemetry and hides its types. */
async function startSpans(
  { endpoint, service, ratio, continuesCallers }: NonNullable<Config['tracing']>,
  log: Pick<Log, 'warn'>,
) {
  const [api, sdk, exporter, resources, core] = await loadOpenTelemetry();
  let saidAt = Number.NEGATIVE_INFINITY;
  core.setGlobalErrorHandler((err) => {
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    log.warn({ err }, 'could not send traces to OTEL_EXPORTER_OTLP_ENDPOINT; they are lost until it answers');
  });
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': service, 'service.version': VERSION }),
    // A span below another one is recorded if that one is. The caller’s span is above ours only if callers are trusted.
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new exporter.OTLPTraceExporter({
          url: `${endpoint}/v1/traces`,
          timeoutMillis: EXPORT_TIMEOUT_MS,
        }),
      }),
    ],
  });
  const tracer = provider.getTracer('postern', VERSION);
  const propagator = new core.W3CTraceContextPropagator();
  const current = new AsyncLocalStorage<Context>();
  const getter = {
    keys: () => ['traceparent', 'tracestate'],
    get: ({ header }: HttpRequest, name: string) => header(name),
  };
  const run = async <T>(
    name: string,
    options: SpanOptions,
    parent: Context,
    work: (span: Span) => Promise<T>,
  ): Promise<T> => {
    const span = tracer.startSpan(name, options, parent);
    try {
      return await current.run(api.trace.setSpan(parent, span), () => work(span));
    } finally {
      span.end();
    }
  };

  return {
    root: <T>(incoming: HttpRequest, work: (span: Span) => Promise<T>) => {
      const attributes = { 'http.request.method': 'POST', 'http.route': '/validate' };
      const options = { kind: api.SpanKind.SERVER, attributes };
      const callers = propagator.extract(api.ROOT_CONTEXT, incoming, getter);
      if (continuesCallers) return run('POST /validate', options, callers, work);
      const named = api.trace.getSpanContext(callers);
      if (named === undefined) return run('POST /validate', options, api.ROOT_CONTEXT, work);
      const { traceId, spanId, traceFlags } = named;
      const links = [{ context: { traceId, spanId, traceFlags } }];
      return run('POST /validate', { ...options, links }, api.ROOT_CONTEXT, work);
    },
    child: <T>(name: string, attributes: Attributes, work: (span: Span) => Promise<T>) =>
      run(name, { attributes }, current.getStore() ?? api.ROOT_CONTEXT, work),
    /** A span of something that is over. */
    childAt(name: string, startTime: number, durationMs: number, attributes: Attributes): void {
      const span = tracer.startSpan(name, { startTime, attributes }, current.getStore());
      span.end(startTime + durationMs);
    },
    fail: (span: Span, message: string) => span.setStatus({ code: api.SpanStatusCode.ERROR, message }),
    close: () => Promise.race([provider.shutdown(), unrefPause(LAST_EXPORT_MS)]),
  };
}

async function loadOpenTelemetry() {
  try {
    return await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/core'),
    ]);
  } catch (cause) {
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the packages of OpenTelemetry are not installed. Run npm ci without --omit=optional, or unset it.',
      { cause },
    );
  }
}

function unrefPause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
