import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { COMPANY_SIGN_IN_PATH, DASHBOARD_API, DASHBOARD_AUTH } from '@postern/contract/dashboard';
import type { Stream } from '@postern/contract/dashboard-routes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { HTTP_METHODS } from '../model/http-methods.ts';
import { maskedAddress } from '../model/ip-address.ts';
import { type Administration, audit, InvalidInput, NotFound } from '../operations/administration.ts';
import {
  type ConcurrencyLimit,
  type DashboardAnswer,
  type DashboardRoute,
  Refused,
  type RequestFacts,
} from '../operations/operation.ts';
import { runOperation } from '../operations/run-operation.ts';
import { StoreConflict, StoreUnavailable } from '../store/store.ts';
import { refuseUnlessAllowed } from './access.ts';
import type { CompanySignIn } from './auth/company-sign-in.ts';
import { SIGN_IN_ROUTES, type SignInRequest } from './auth/sign-in-routes.ts';
import type { Guard, Headers } from './guard.ts';
import { createKnownMethods } from './known-methods.ts';
import type { SecureCookies } from './secure-cookies.ts';

type FaultFromServer = Error & { readonly code?: string; readonly statusCode?: number };

/**
 * Turns an error into a response. Expected errors explain themselves. Any other becomes one fixed sentence and goes to
 * the log.
 */
function answerFault(
  fault: FaultFromServer,
  report: (fault: Error, message: string) => void,
): DashboardAnswer {
  if (fault instanceof InvalidInput)
    return { status: 400, body: { error: fault.message, field: fault.field, ...fault.place } };
  if (fault instanceof NotFound) return { status: 404, body: { error: fault.message } };
  if (fault instanceof StoreConflict) return { status: 409, body: { error: fault.message } };
  if (fault instanceof Refused) {
    const { retryAfter } = fault.extra;
    return {
      status: fault.status,
      body: { error: fault.message, ...fault.extra },
      ...(retryAfter !== undefined && { headers: { 'Retry-After': String(retryAfter) } }),
    };
  }
  if (fault instanceof StoreUnavailable)
    return {
      status: 503,
      body: { error: 'The store does not answer. Try again in a moment.' },
      headers: { 'Retry-After': '2' },
    };
  if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return { status: 413, body: { error: 'The request’s body is too large.' } };
  if (fault.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return { status: 415, body: { error: 'Send JSON, with Content-Type: application/json.' } };
  if (fault.statusCode !== undefined && fault.statusCode >= 400 && fault.statusCode < 500)
    return { status: 400, body: { error: 'The request cannot be read. Its body must be JSON.' } };
  report(fault, 'unexpected error in the dashboard');
  return { status: 500, body: { error: 'An internal error occurred' } };
}

export interface DashboardPluginParts {
  readonly routes: readonly DashboardRoute[];
  readonly guard: Guard;
  readonly longReads: ConcurrencyLimit;
  /** The company’s sign-in, if there is one. */
  readonly companySignIn: CompanySignIn | undefined;
  readonly signIn: (request: SignInRequest) => Promise<DashboardAnswer>;
  readonly admin: Omit<Administration, 'actor'>;
  readonly clientAddress: (peer: string, headers: Headers) => string;
  readonly connectionAddress: (peer: string, headers: Headers) => string;
  readonly publicUrl: string | undefined;
  readonly tls: boolean;
  readonly secureCookies: SecureCookies;
  readonly log: Log;
}

const BODY_LIMIT = 256 * 1024;

/** The dashboard’s API. It shares neither parsers nor error handlers with the product’s routes. */
export function addDashboardApi(scope: FastifyInstance, parts: DashboardPluginParts): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: BODY_LIMIT }, readJson);
  scope.setErrorHandler((fault: Error, request, reply) =>
    send(
      reply,
      answerFault(fault, (err, message) => parts.log.error({ requestId: request.id, err }, message)),
    ),
  );

  for (const route of parts.routes) {
    scope.route({
      method: route.method,
      url: DASHBOARD_API + route.path,
      bodyLimit: route.limit ?? BODY_LIMIT,
      exposeHeadRoute: route.method === 'GET',
      handler: async (request, reply) => send(reply, await answer(parts, route, request)),
    });
  }
  for (const path of Object.keys(SIGN_IN_ROUTES)) {
    scope.post(DASHBOARD_AUTH + path, { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      const headers = headersOf(request);
      const facts = factsOf(parts, request, headers);
      const signedIn = await parts.signIn({ path, headers, facts, body: request.body });
      return send(reply, { ...signedIn, cookies: secured(parts, request, headers, signedIn.cookies) });
    });
  }
  addCompanySignIn(scope, parts);
  refuseOthers(scope, parts.routes, parts.companySignIn !== undefined);
}

const COMPANY_PATHS = [COMPANY_SIGN_IN_PATH, `${COMPANY_SIGN_IN_PATH}/callback`];
const LOGOUT_PATH = `${COMPANY_SIGN_IN_PATH}/logout`;

/**
 * People come by a link and from the provider’s page, so two are GETs that lead on to another page. The provider itself
 * posts a form.
 */
function addCompanySignIn(scope: FastifyInstance, parts: DashboardPluginParts): void {
  const { companySignIn } = parts;
  if (companySignIn === undefined) return;
  const [beginning = '', callback = ''] = COMPANY_PATHS;
  const respond = async (request: FastifyRequest, reply: FastifyReply, result: Promise<DashboardAnswer>) => {
    const { cookies, ...led } = await result;
    return send(reply, { ...led, cookies: secured(parts, request, headersOf(request), cookies) });
  };
  scope.get(DASHBOARD_AUTH + beginning, { exposeHeadRoute: false }, (request, reply) =>
    respond(request, reply, companySignIn.begin(factsOf(parts, request, headersOf(request)))),
  );
  scope.get(DASHBOARD_AUTH + callback, { exposeHeadRoute: false }, (request, reply) => {
    const query = request.query as Record<string, unknown>;
    return respond(request, reply, companySignIn.finish(query, factsOf(parts, request, headersOf(request))));
  });
  scope.register(async (forms) => {
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: FastifyRequest, text: string) => text,
    );
    forms.post(DASHBOARD_AUTH + LOGOUT_PATH, { bodyLimit: BODY_LIMIT }, (request, reply) => {
      const token = new URLSearchParams(String(request.body)).get('logout_token');
      return respond(
        request,
        reply,
        companySignIn.logOut(token, factsOf(parts, request, headersOf(request))),
      );
    });
  });
}

async function answer(
  parts: DashboardPluginParts,
  route: DashboardRoute,
  request: FastifyRequest,
): Promise<DashboardAnswer> {
  const headers = headersOf(request);
  const changes = route.method !== 'GET';
  const params = request.params as Record<string, string>;
  // No ID contains a NUL, and PostgreSQL refuses to search for one.
  if (Object.values(params).some((value) => value.includes('\0')))
    throw new Refused(404, 'There is no such path.');
  if (route.access === 'anyone' && changes) parts.guard.refuseForeignOrigin(headers);
  const identity = route.access === 'anyone' ? undefined : await parts.guard.admit(headers, changes);
  if (identity !== undefined) await refuseUnlessAllowed(route, identity, params, parts.admin);
  if (route.sessionOnly && identity?.session === undefined)
    throw new Refused(
      403,
      'Sign in for this. An access token cannot create or change tokens, members or invitations.',
    );
  const caller = factsOf(parts, request, headers);
  const via = { address: maskedAddress(caller.clientAddress), token: identity?.token?.name };
  const admin = { ...parts.admin, actor: identity?.member.id ?? 'anyone', via };
  const facts = {
    admin,
    caller,
    member: identity?.member,
    session: identity?.session,
    longReads: parts.longReads,
    params,
    query: request.query as Record<string, unknown>,
  };
  const result = await runOperation(route, facts, request.body);
  // Data that leaves the service in a file.
  if (result.headers?.['Content-Type']?.startsWith('text/csv'))
    await audit(admin, 'data.export', params.id ?? null, { path: route.path });
  const cookies = [...(identity?.session?.cookies ?? []), ...(result.cookies ?? [])];
  return { ...result, cookies: secured(parts, request, headers, cookies) };
}

function secured(
  { secureCookies }: DashboardPluginParts,
  request: FastifyRequest,
  headers: Headers,
  cookies: readonly string[] = [],
): readonly string[] {
  return secureCookies(cookies, request.raw.socket.remoteAddress ?? '', headers);
}

function factsOf(
  { clientAddress, connectionAddress, publicUrl, tls }: DashboardPluginParts,
  request: FastifyRequest,
  headers: Headers,
): RequestFacts {
  const host = headers('host') ?? 'localhost';
  return {
    clientAddress: clientAddress(request.raw.socket.remoteAddress ?? '', headers),
    connectionAddress: connectionAddress(request.raw.socket.remoteAddress ?? '', headers),
    cookie: headers('cookie') ?? '',
    userAgent: headers('user-agent') ?? '',
    base: publicUrl ?? headers('origin') ?? `${tls ? 'https' : 'http'}://${host}`,
  };
}

function send(reply: FastifyReply, { status, body, headers, cookies }: DashboardAnswer): FastifyReply {
  reply.code(status).header('Cache-Control', 'no-store').header('X-Content-Type-Options', 'nosniff');
  if (headers !== undefined) reply.headers(headers);
  if (cookies !== undefined && cookies.length > 0) reply.header('Set-Cookie', [...cookies]);
  // A HEAD has no body, and the server would read the whole stream only to discard it.
  if (isStream(body) && reply.request.method === 'HEAD') return reply.send();
  if (isStream(body)) return reply.send(Readable.from(body));
  if (status === 204) return reply.send();
  reply.type('application/json; charset=utf-8');
  const text = JSON.stringify(body ?? {});
  if (text.length < COMPRESSED_FROM || !takesGzip(reply.request)) return reply.send(text);
  reply.header('Content-Encoding', 'gzip').header('Vary', 'Accept-Encoding');
  return reply.send(Readable.from([text]).pipe(createGzip()));
}

function isStream(body: unknown): body is Stream {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

/** Small answers gain nothing. The session's answer, which contains a token, is one of them. */
const COMPRESSED_FROM = 2_000;

function takesGzip(request: FastifyRequest): boolean {
  const accepted = request.raw.headers['accept-encoding'] ?? '';
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(accepted));
}

/** Paths that do not exist, or only with other methods. */
function refuseOthers(scope: FastifyInstance, routes: readonly DashboardRoute[], hasCompany: boolean): void {
  const methodsOf = createKnownMethods([
    ...routes.map(({ method, path }) => ({ method, path: DASHBOARD_API + path })),
    ...(hasCompany ? COMPANY_PATHS.map((path) => ({ method: 'GET', path: DASHBOARD_AUTH + path })) : []),
    ...(hasCompany ? [{ method: 'POST', path: DASHBOARD_AUTH + LOGOUT_PATH }] : []),
    ...Object.keys(SIGN_IN_ROUTES).map((path) => ({ method: 'POST', path: DASHBOARD_AUTH + path })),
  ]);
  const refuse = async (request: FastifyRequest, reply: FastifyReply) => {
    const allow = methodsOf(request.url.split('?', 1)[0] ?? '').join(', ');
    if (allow === '') return send(reply, { status: 404, body: { error: 'There is no such path.' } });
    const body = { error: `This path accepts ${allow}.` };
    return send(reply, { status: 405, body, headers: { Allow: allow } });
  };
  for (const url of ['/dashboard/api', '/dashboard/api/*']) {
    scope.route({ method: [...HTTP_METHODS], url, handler: refuse });
  }
}

function headersOf(request: FastifyRequest): Headers {
  return (name) => {
    const value = request.raw.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };
}

function readJson(
  _request: FastifyRequest,
  text: string,
  done: (fault: Error | null, body?: unknown) => void,
) {
  if (text.trim() === '') return done(null, undefined);
  try {
    done(null, JSON.parse(text));
  } catch {
    done(Object.assign(new Error('The body must be JSON.'), { statusCode: 400 }));
  }
}
