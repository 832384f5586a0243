/** Headers of Node, Express and Fastify, or of the web platform. */
type HeaderBag = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

interface Socketed {
  readonly socket?: { readonly remoteAddress?: string | undefined } | null;
}

/** A request of Node, Express or Fastify, or a web `Request` as Next hands out. */
export interface RequestLike extends Socketed {
  readonly headers: HeaderBag;
  /** Express and Fastify determine it by their own `trust proxy` setting. */
  readonly ip?: string | undefined;
}

/** Hono’s context. */
export interface ContextLike {
  readonly req: { readonly raw: { readonly headers: HeaderBag } };
  /** `@hono/node-server` puts Node’s own request here, Bun its server, Deno the connection. */
  readonly env?: unknown;
}

export interface CallerOptions {
  /**
   * How many of your own proxies are in front of the backend. Default: 0, so `X-Forwarded-For` is not believed: without a
   * proxy, anybody can write any address into it.
   */
  trustedProxies?: number | undefined;
  /** A header that your edge sets itself, for example `CF-Connecting-IP`. */
  clientIpHeader?: string | undefined;
  /**
   * The visitor’s IP address, or a function that finds it for a web request, for example Bun’s `(request) =>
   * server.requestIP(request)?.address`. Other frameworks tell it themselves.
   */
  clientIp?: string | ((request: Request) => string | null | undefined) | undefined;
}

export const CALLER_OPTIONS: Readonly<Record<keyof CallerOptions, true>> = {
  trustedProxies: true,
  clientIpHeader: true,
  clientIp: true,
};

export interface Caller {
  readonly ip?: string;
  readonly userAgent?: string;
}

/** Browsers stay well under it. The service would refuse a request with a longer one, and nothing would be checked. */
const MAX_USER_AGENT_LENGTH = 1_024;

/** The client behind a request: what a server key sends as `ip` and `userAgent`. */
export function getCaller(request: RequestLike | ContextLike, options: CallerOptions = {}): Caller {
  const source = 'req' in request ? honoSource(request) : request;
  const ip = clientIp(source, options);
  const userAgent = header(source.headers, 'user-agent')?.slice(0, MAX_USER_AGENT_LENGTH) ?? null;
  return { ...(ip !== null && { ip }), ...(userAgent !== null && { userAgent }) };
}

/** Browsers send less. The rest is ignored by the service too. */
const MAX_ACCEPT_LANGUAGE_LENGTH = 512;

/** The languages that the person behind a request asks for, or an empty text. */
export function acceptLanguageOf(request: RequestLike | ContextLike): string {
  const { headers } = 'req' in request ? honoSource(request) : request;
  return header(headers, 'accept-language')?.slice(0, MAX_ACCEPT_LANGUAGE_LENGTH) ?? '';
}

/** What Hono’s `env` can be: of `@hono/node-server`, of Bun and of Deno. */
interface HonoEnvironment {
  readonly incoming?: Socketed;
  readonly requestIP?: (request: unknown) => { readonly address?: string } | null;
  readonly remoteAddr?: { readonly hostname?: string };
}

function honoSource({ req, env }: ContextLike): RequestLike {
  const { incoming, requestIP, remoteAddr } = (env ?? {}) as HonoEnvironment;
  const ip = typeof requestIP === 'function' ? requestIP.call(env, req.raw)?.address : remoteAddr?.hostname;
  return {
    headers: req.raw.headers,
    ...(incoming?.socket && { socket: incoming.socket }),
    ...(typeof ip === 'string' && { ip }),
  };
}

/** A request’s header, of any kind of request. */
export function headerIn(request: RequestLike | ContextLike, name: string): string | null {
  return header('req' in request ? request.req.raw.headers : request.headers, name);
}

function clientIp(request: RequestLike, options: CallerOptions): string | null {
  if (typeof options.clientIp === 'string') return plainIp(options.clientIp);
  if (typeof options.clientIp === 'function' && isWebRequest(request)) {
    return plainIp(options.clientIp(request) ?? null);
  }
  if (options.clientIpHeader !== undefined) {
    const named = plainIp(header(request.headers, options.clientIpHeader.toLowerCase()));
    if (named !== null) return named;
  }
  if (options.trustedProxies === undefined && request.ip !== undefined) return plainIp(request.ip);
  const peer = request.socket?.remoteAddress ?? request.ip;
  const { trustedProxies = 0 } = options;
  const forwarded = header(request.headers, 'x-forwarded-for')?.split(',') ?? [];
  // Each proxy appends the peer it saw, so the trusted ones are counted from the right. A web request has no peer.
  const hop =
    peer === undefined ? forwarded.at(-trustedProxies) : [...forwarded, peer].at(-1 - trustedProxies);
  return trustedProxies === 0 ? plainIp(peer ?? null) : plainIp(hop ?? peer ?? null);
}

function isWebRequest(request: object): request is Request {
  return 'formData' in request;
}

function header(headers: HeaderBag, name: string): string | null {
  if (typeof headers.get === 'function') return headers.get(name);
  const value = (headers as Record<string, string | string[] | undefined>)[name.toLowerCase()];
  return (Array.isArray(value) ? value.join(',') : value) ?? null;
}

/** Without port, brackets and zone; IPv4 in IPv6 as IPv4; `null` if it is not an address. */
function plainIp(text: string | null): string | null {
  if (text === null) return null;
  let address = text.trim().replace(/^\[([^\]]*)\](?::\d+)?$/, '$1');
  if (/^[\d.]+:\d+$/.test(address)) address = address.slice(0, address.indexOf(':'));
  address = address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  return isIpAddress(address) ? address : null;
}

/** Like `isIP` of `node:net`, which edge runtimes do not have. */
function isIpAddress(text: string): boolean {
  if (text.includes(':')) return /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
  return /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/.test(text) && !/(^|\.)0\d/.test(text);
}
