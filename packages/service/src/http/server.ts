import type { Server } from 'node:http';
import { type ApiError, apiError, MAX_BODY_BYTES, VALIDATE_PATHS } from '@postern/contract';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { roundMs } from '../decision/check-results.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { StoreUnavailable } from '../store/store.ts';
import { answerConnectionError, answerRaw } from './connection-errors.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { type Answer, type Incoming, refusal } from './exchange.ts';
import { requestIdOf } from './request-id.ts';
import type { Validate } from './validate.ts';

export interface ServerParts {
  readonly validate: Validate;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const RETRY_AFTER_SECONDS = '2';
const MAX_HEADER_BYTES = 16 * 1024;
const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 10_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** The HTTP server with the product’s own routes; `routes/` adds the others. */
export function createServer(parts: ServerParts): FastifyInstance {
  const options: FastifyServerOptions = {
    logger: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    bodyLimit: MAX_BODY_BYTES,
    // The product’s own routes answer HEAD where they answer GET; the dashboard’s API does not.
    exposeHeadRoutes: false,
    // A peer that dawdles holds a connection, not the service.
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 60_000,
    keepAliveTimeout: 65_000,
    // A request that slips in while the server closes is answered like any other.
    return503OnClosing: false,
    clientErrorHandler: answerConnectionError,
    frameworkErrors: (_fault, request, reply) =>
      write(request, reply, refusal(apiError('MALFORMED_HTTP')), true),
  };
  const nodeOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // How often Node looks for requests that are past their time.
    connectionsCheckingInterval: 1_000,
    // Without a Host header Node would answer itself, and not in JSON.
    requireHostHeader: false,
  };
  // Fastify types the two kinds of server apart; nothing here depends on which it is.
  const server =
    parts.tls === undefined
      ? Fastify({ ...options, http: nodeOptions })
      : (Fastify({ ...options, https: { ...parts.tls, ...nodeOptions } } as object) as FastifyInstance);

  let closing = false;
  const send: Send = (request, reply, answer) => write(request, reply, answer, closing);

  // Any Content-Type is read as JSON, and read by the walk: only it knows whose turn an error is.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  listenForOddities(server.server);
  // A connection that falls idle while the server closes would otherwise hold it until its keep-alive ends.
  server.addHook('preClose', async () => {
    closing = true;
    const timer = setInterval(() => server.server.closeIdleConnections(), 50);
    server.server.once('close', () => clearInterval(timer));
  });
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    if (closing) reply.header('Connection', 'close');
    done();
  });
  const logsRequests = parts.log.isLevelEnabled('debug');
  server.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status, elapsedTime } = reply;
    const route = routeOf(request);
    parts.metrics.answered(route, status, elapsedTime);
    if (logsRequests)
      parts.log.debug({ requestId: request.id, route, status, ms: roundMs(elapsedTime) }, 'request');
    done();
  });
  server.setErrorHandler((fault: Error & { code?: string; statusCode?: number }, request, reply) =>
    send(request, reply, refusal(refusalFor(fault, request, parts.log))),
  );
  server.setNotFoundHandler((request, reply) => {
    const allow = METHODS.filter(
      (method) => method !== request.method && server.hasRoute({ method, url: pathOf(request) }),
    );
    if (allow.length === 0) return send(request, reply, refusal(apiError('NOT_FOUND')));
    const answer = refusal(apiError('METHOD_NOT_ALLOWED'));
    return send(request, reply, { ...answer, headers: { ...answer.headers, Allow: allow.join(', ') } });
  });

  for (const path of VALIDATE_PATHS) {
    server.post(path, { onRequest: forgetContentType }, async (request, reply) =>
      send(request, reply, await parts.validate(incomingOf(request))),
    );
    server.options(path, async (request, reply) => {
      reply.code(204).headers(preflightHeaders(request.headers.origin)).send();
      return reply;
    });
  }
  return server;
}

type Send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => FastifyReply;

/** What Node itself would answer with no body, or not at all. */
function listenForOddities(server: Server): void {
  // 16 KiB of headers may be thousands of short fields; beyond its count Node would drop the rest without a word.
  server.maxHeadersCount = 0;
  // An expectation that nobody knows may be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => answerRaw('METHOD_NOT_ALLOWED', socket));
}

/**
 * Writes the answer as it is. The body is text already and the headers are all here, so Fastify’s own way of
 * serialising and setting them one by one would only cost time.
 */
function write(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body }: Answer,
  last: boolean,
): FastifyReply {
  const { origin } = request.headers;
  const { raw } = reply.hijack();
  raw.writeHead(status, {
    'X-Request-Id': request.id,
    'Content-Type': JSON_TYPE,
    'Content-Length': Buffer.byteLength(body),
    // A shared cache must never hand one origin’s answer to another.
    Vary: 'Origin',
    'Cache-Control': 'no-store',
    ...(origin !== undefined && corsHeaders(origin)),
    ...(status === 503 && { 'Retry-After': RETRY_AFTER_SECONDS }),
    // What is left of a body that is too large is not worth reading.
    ...((last || status === 413) && { Connection: 'close' }),
    ...headers,
  });
  raw.end(request.method === 'HEAD' ? undefined : body);
  return reply;
}

/** Fastify refuses types that it cannot read before anyone looks at the body; here the type says nothing. */
function forgetContentType(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.raw.headers['content-type'] = undefined;
  done();
}

function incomingOf(request: FastifyRequest): Incoming {
  const { headers } = request.raw;
  return {
    requestId: request.id,
    peer: request.raw.socket.remoteAddress ?? '',
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: request.body instanceof Buffer ? request.body : EMPTY,
  };
}

const EMPTY = Buffer.alloc(0);

const OUTAGE_TOLD_EVERY_MS = 1_000;
let outageToldAt = 0;
let untold = 0;

/** An outage refuses every request; its log has a line a second, with how many it stands for. */
function tellOfOutage(log: Log, requestId: string, reason: string): void {
  untold += 1;
  if (Date.now() - outageToldAt < OUTAGE_TOLD_EVERY_MS) return;
  log.warn({ requestId, reason, refused: untold }, 'store unavailable');
  outageToldAt = Date.now();
  untold = 0;
}

/** What a fault becomes outside: one fixed sentence. What it was goes to the log, under the request’s ID. */
function refusalFor(
  fault: Error & { code?: string; statusCode?: number },
  request: FastifyRequest,
  log: Log,
): ApiError {
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return apiError('BODY_TOO_LARGE');
  if (fault instanceof StoreUnavailable) {
    tellOfOutage(log, request.id, fault.message);
    return apiError('UNAVAILABLE');
  }
  // Fastify’s own refusals of a request it could not read, such as a body shorter than its Content-Length.
  if (fault.statusCode !== undefined && fault.statusCode < 500) return apiError('BODY_NOT_JSON');
  log.error({ requestId: request.id, err: fault }, 'unexpected fault');
  return apiError('INTERNAL');
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url;
}
