import type { Server } from 'node:http';
import {
  apiError,
  CHALLENGES_PATH,
  CLAIMS_PATH,
  HOOKS_PATH,
  MAX_BODY_BYTES,
  MAX_HOOK_BODY_BYTES,
  MAX_OUTCOMES_BODY_BYTES,
  OUTCOMES_PATH,
  PAGE_REPORTS_PATH,
  VALIDATE_PATHS,
} from '@postern/contract';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { roundMs } from '../decision/check-results.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { HTTP_METHODS } from '../model/http-methods.ts';
import type { ChallengeHandler } from './answer-challenge.ts';
import type { ClaimsHandler } from './answer-claims.ts';
import { answerHeaders } from './answer-headers.ts';
import { HOOK_DEADLINE_MS, type HookHandler } from './answer-hook.ts';
import { answerConnect, answerConnectionError } from './connection-errors.ts';
import { connectionGone } from './connection-gone.ts';
import { limitConnections } from './connection-limit.ts';
import { preflightHeaders } from './cors.ts';
import { addFastPath, type FastPath, type FastPathOptions } from './fast-path/fast-path.ts';
import { type FaultParts, faultAnswer } from './fault-answer.ts';
import { MAX_HEADER_BYTES } from './header-limit.ts';
import { type HttpRequest, type HttpResponse, refusal } from './http-message.ts';
import { limitExchanges } from './open-exchanges.ts';
import { protocolError } from './protocol-error.ts';
import type { HandleOutcomes } from './report-outcomes.ts';
import { requestIdOf } from './request-id.ts';
import { SDK_FILE_ROUTE } from './routes/sdk.ts';
import type { TakePageReport } from './take-page-report.ts';
import type { Validate } from './validate.ts';

export interface ServerParts extends FaultParts {
  readonly validate: Validate;
  readonly outcomes: HandleOutcomes;
  readonly hooks: HookHandler['answer'];
  readonly challenge: ChallengeHandler;
  readonly pageReport: TakePageReport;
  readonly claims: ClaimsHandler;
  readonly metrics: Metrics;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Whether ordinary validations bypass Node’s request objects. */
  readonly fastPath: boolean;
  readonly maxConnections: number;
  readonly onAnswered: () => void;
  /** A connection was closed because that many were open. */
  readonly onConnectionRefused: () => void;
}

const REQUEST_TIMEOUT_MS = 15_000;
const HEADERS_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 65_000;
const LAST_REQUESTS_MS = 250;

/** The HTTP server with the product’s own routes; `routes/` adds the others. */
export function createServer(parts: ServerParts): FastifyInstance {
  const server = openServer(parts.tls);
  let closing = false;
  const send: Send = (request, reply, answer) => write(request, reply, answer, closing);
  const answered = createRequestReporter(parts);

  // Any Content-Type is read as JSON. The request handler parses the body itself, because it knows which error comes
  // first.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  handleRawNodeEvents(server.server, parts.tls !== undefined);
  const fastPath = parts.fastPath ? openFastPath(server.server, parts, answered) : undefined;
  const connections = limitConnections(server.server, parts.maxConnections, parts.onConnectionRefused);
  parts.metrics.read('postern_connections', connections.open);
  parts.metrics.read('postern_max_connections', () => parts.maxConnections);
  // A connection that becomes idle while the server closes would otherwise keep it open until its keep-alive timeout.
  server.addHook('preClose', async () => {
    closing = true;
    fastPath?.close();
    const timer = setInterval(() => server.server.closeIdleConnections(), 50);
    server.server.once('close', () => clearInterval(timer));
  });
  server.addHook('onRequest', (request, reply, done) => {
    const error = protocolError(request.raw);
    if (error !== undefined) {
      write(request, reply, refusal(apiError(error)), true);
      return;
    }
    reply.header('X-Request-Id', request.id);
    if (closing) reply.header('Connection', 'close');
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    answered(request.id, routeOf(request), reply.statusCode, reply.elapsedTime);
    done();
  });
  addRefusals(server, send, parts);
  addValidateRoutes(server, send, parts);
  addBackendRoutes(server, send, parts);
  return server;
}

/** A domain, which has at most 253 characters, is part of a path in the dashboard’s API. */
const MAX_PATH_PART = 300;

function openServer(tls: ServerParts['tls']): FastifyInstance {
  const options: FastifyServerOptions = {
    logger: false,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    bodyLimit: MAX_BODY_BYTES,
    routerOptions: { maxParamLength: MAX_PATH_PART },
    // The product’s own routes answer HEAD where they answer GET; the dashboard’s API does not.
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    // A slow peer occupies one connection and does not slow down the service.
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 60_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // A request that arrives while the server closes is answered like any other.
    return503OnClosing: false,
    clientErrorHandler: answerConnectionError,
    frameworkErrors: (_fault, request, reply) =>
      write(request, reply, refusal(apiError('MALFORMED_HTTP')), true),
  };
  const nodeOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    // How often Node looks for requests that have timed out.
    connectionsCheckingInterval: 1_000,
    // Node’s own answer to a missing Host header is not JSON; `protocolError` has ours.
    requireHostHeader: false,
  };
  const tlsOptions = { handshakeTimeout: HEADERS_TIMEOUT_MS };
  // Fastify has different types for the two kinds of server. Nothing here depends on the kind.
  return tls === undefined
    ? Fastify({ ...options, http: nodeOptions })
    : (Fastify({
        ...options,
        https: { ...tls, ...nodeOptions, ...tlsOptions },
      } as object) as FastifyInstance);
}

/** Requests are read by hand, so no route has a schema. Otherwise Fastify loads its schema compilers, 100 files, at each start. */
function refuseSchema(): never {
  throw new Error('Routes with a schema are not supported; see docs/decisions/0002-dependencies.md');
}

type Answered = (requestId: string, route: string, status: number, elapsedMs: number) => void;

function createRequestReporter({ log, metrics, onAnswered }: ServerParts): Answered {
  const logsRequests = log.isLevelEnabled('debug');
  return (requestId, route, status, elapsedMs) => {
    metrics.answered(route, status, elapsedMs);
    onAnswered();
    if (logsRequests) log.debug({ requestId, route, status, ms: roundMs(elapsedMs) }, 'request');
  };
}

function openFastPath(server: Server, parts: ServerParts, answered: Answered): FastPath {
  return addFastPath(server, {
    event: parts.tls === undefined ? 'connection' : 'secureConnection',
    firstRequestMs: HEADERS_TIMEOUT_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    lastRequestsMs: LAST_REQUESTS_MS,
    requestIdOf,
    serve: serveFast(parts, answered),
  });
}

/** What Fastify’s hooks and error handler do, for requests on the fast path. Never rejects. */
function serveFast(parts: ServerParts, answered: Answered): FastPathOptions['serve'] {
  const { validate, metrics, ...faults } = parts;
  return async ({ path, headers, body }, requestId, { peer, onGone }) => {
    const started = performance.now();
    metrics.validateRequest('fast');
    const incoming: HttpRequest = {
      requestId,
      peer,
      header: (name) => headers.get(name),
      target: path,
      body,
      onGone,
    };
    let answer: HttpResponse;
    try {
      answer = await validate(incoming);
    } catch (fault) {
      answer = faultAnswer(fault as Error, requestId, faults);
    }
    answered(requestId, path, answer.status, performance.now() - started);
    return answer;
  };
}

const CHALLENGE_ROUTE = `${CHALLENGES_PATH}/:id`;
const CLAIM_ROUTE = `${CLAIMS_PATH}/:id`;
const HOOK_ROUTE = `${HOOKS_PATH}/:format/:id`;

/** Which route a path with variable parts belongs to. */
const PATHS_WITH_PARTS: readonly (readonly [RegExp, string])[] = [
  [/^\/sdk\/[^/]+$/, SDK_FILE_ROUTE],
  [/^\/v1\/hooks\/[^/]+\/[^/]+$/, HOOK_ROUTE],
  [/^\/v1\/challenges\/[^/]+$/, CHALLENGE_ROUTE],
  [/^\/v1\/claims\/[^/]+$/, CLAIM_ROUTE],
];

function addRefusals(server: FastifyInstance, send: Send, faults: FaultParts): void {
  const refuseRoute = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request);
    const url = PATHS_WITH_PARTS.find(([pattern]) => pattern.test(path))?.[1] ?? path;
    const allow = HTTP_METHODS.filter((method) => server.hasRoute({ method, url }));
    // A route of the same method has answered that there is no such file.
    if (allow.length === 0 || allow.some((method) => method === request.method))
      return send(request, reply, refusal(apiError('NOT_FOUND')));
    const answer = refusal(apiError('METHOD_NOT_ALLOWED'));
    return send(request, reply, { ...answer, headers: { ...answer.headers, Allow: allow.join(', ') } });
  };
  server.setNotFoundHandler(refuseRoute);
  server.setErrorHandler((fault: Error & { code?: string; statusCode?: number }, request, reply) =>
    // Fastify checks the Content-Type first, and refuses a QUERY without one even on routes that do not accept QUERY.
    request.is404 && (fault.statusCode === 400 || fault.statusCode === 415)
      ? refuseRoute(request, reply)
      : send(request, reply, faultAnswer(fault, request.id, faults)),
  );
}

/** What pages ask. */
function addValidateRoutes(server: FastifyInstance, send: Send, parts: ServerParts): void {
  const { validate, challenge, pageReport, metrics } = parts;
  const add = (path: string, answer: (request: FastifyRequest) => Promise<HttpResponse>) => {
    server.post(path, { onRequest: forgetContentType }, async (request, reply) =>
      send(request, reply, await answer(request)),
    );
    server.options(path, async (request, reply) => {
      reply.code(204).headers(preflightHeaders(request.headers.origin)).send();
      return reply;
    });
  };
  for (const path of VALIDATE_PATHS)
    add(path, (request) => {
      metrics.validateRequest('node');
      return validate(incomingOf(request));
    });
  add(PAGE_REPORTS_PATH, (request) => pageReport(incomingOf(request)));
  add(CHALLENGE_ROUTE, (request) =>
    challenge(incomingOf(request), (request.params as { readonly id: string }).id),
  );
}

interface BackendRoute {
  readonly path: string;
  readonly method?: 'get' | 'delete';
  readonly maxBytes: number;
  readonly answer: (request: FastifyRequest, elapsedMs: () => number) => Promise<HttpResponse>;
  /** The body must have arrived by then. */
  readonly deadlineMs?: number;
}

/** What backends and sign-in servers send. Their bodies may be longer than a validation’s. */
function addBackendRoutes(
  server: FastifyInstance,
  send: Send,
  { outcomes, hooks, claims, ...faults }: ServerParts,
): void {
  const add = ({ path, method, maxBytes, answer, deadlineMs }: BackendRoute) => {
    const tooLarge = `Request body exceeds ${maxBytes / 1024} KiB`;
    server[method ?? 'post'](
      path,
      {
        onRequest: (request, reply, done) => {
          if (deadlineMs !== undefined) refuseLateBody(request, reply, deadlineMs);
          forgetContentType(request, reply, done);
        },
        bodyLimit: maxBytes,
        errorHandler: (fault, request, reply) =>
          send(
            request,
            reply,
            fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE'
              ? refusal(apiError('BODY_TOO_LARGE', tooLarge))
              : faultAnswer(fault, request.id, faults),
          ),
      },
      async (request, reply) => send(request, reply, await answer(request, () => reply.elapsedTime)),
    );
  };
  add({
    path: OUTCOMES_PATH,
    maxBytes: MAX_OUTCOMES_BODY_BYTES,
    answer: (request) => outcomes(incomingOf(request)),
  });
  const ofClaims = { path: CLAIMS_PATH, maxBytes: MAX_BODY_BYTES };
  add({ ...ofClaims, answer: (request) => claims.take(incomingOf(request)) });
  add({
    ...ofClaims,
    method: 'get',
    answer: (request) =>
      claims.find(incomingOf(request), (request.query as { readonly claimant?: unknown }).claimant),
  });
  add({
    ...ofClaims,
    path: CLAIM_ROUTE,
    method: 'delete',
    answer: (request) => claims.release(incomingOf(request), (request.params as { readonly id: string }).id),
  });
  add({
    path: HOOK_ROUTE,
    maxBytes: MAX_HOOK_BODY_BYTES,
    deadlineMs: HOOK_DEADLINE_MS,
    answer: (request, elapsedMs) => {
      const { format, id } = request.params as { readonly format: string; readonly id: string };
      return hooks(incomingOf(request), { format, id, elapsedMs: elapsedMs() });
    },
  });
}

/** A caller that waits at most a few seconds for its answer must not wait for the rest of its own body. */
function refuseLateBody(request: FastifyRequest, reply: FastifyReply, afterMs: number): void {
  const timer = setTimeout(() => {
    if (request.raw.complete || reply.raw.headersSent) return;
    write(request, reply, refusal(apiError('REQUEST_TIMEOUT')), true);
    request.raw.destroy();
  }, afterMs);
  reply.raw.once('close', () => clearTimeout(timer));
}

type Send = (request: FastifyRequest, reply: FastifyReply, answer: HttpResponse) => FastifyReply;

/** Events that Node would answer without a body, or not at all. */
function handleRawNodeEvents(server: Server, tls: boolean): void {
  // 16 KiB of headers can be thousands of short fields. Node silently drops fields beyond this count.
  server.maxHeadersCount = 0;
  // A peer that closes its half after the request still gets its answer.
  Object.assign(server, { httpAllowHalfOpen: true });
  limitExchanges(server, tls ? 'secureConnection' : 'connection');
  // An unknown Expect header can be ignored (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', answerConnect);
  if (!tls) return;
  // Nothing can be answered before the handshake is complete. Node reports such connections and does not close them.
  server.removeAllListeners('tlsClientError');
  server.on('tlsClientError', (_error, socket) => socket.destroy());
}

/**
 * Writes the answer directly. The body is already text and the headers are complete, so serialising them through
 * Fastify would only cost time.
 */
function write(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: HttpResponse,
  last: boolean,
): FastifyReply {
  const { origin } = request.headers;
  const { raw } = reply.hijack();
  const bodyBytes = Buffer.byteLength(answer.body);
  raw.writeHead(answer.status, answerHeaders(answer, { requestId: request.id, origin, last, bodyBytes }));
  raw.end(request.method === 'HEAD' ? undefined : answer.body);
  return reply;
}

/** Fastify refuses content types that it cannot parse. The content type is ignored here. */
function forgetContentType(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.raw.headers['content-type'] = undefined;
  done();
}

function incomingOf(request: FastifyRequest): HttpRequest {
  const { headers } = request.raw;
  return {
    requestId: request.id,
    peer: request.raw.socket.remoteAddress ?? '',
    target: request.url,
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    body: request.body instanceof Buffer ? request.body : EMPTY,
    onGone: connectionGone(request.raw.socket),
  };
}

const EMPTY = Buffer.alloc(0);

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unknown';
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? request.url;
}
