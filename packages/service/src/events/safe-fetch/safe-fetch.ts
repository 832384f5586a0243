import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CidrSet } from '../../model/cidr.ts';
import { connectThrough, goesThrough, type OutgoingProxy } from './outgoing-proxy.ts';
import {
  type AllowedRanges,
  type CheckedAddress,
  checkAddress,
  type ResolveHost,
  systemResolve,
} from './reachable-addresses.ts';
import { createResponseBody, type ResponseBody } from './response-body.ts';
import { type Deadline, SafeFetchError, startDeadline } from './safe-fetch-error.ts';

export interface SafeRequest {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Reading more of the response’s body than this fails. */
  readonly maxBytes: number;
  /** For the whole request: resolving, connecting, redirects and the body. */
  readonly timeoutMs: number;
  /** How many redirects to follow; 5 for GET and none for POST unless stated. Each target is checked. */
  readonly maxRedirects?: number;
  /** The operator configured this URL, so it may be private. Its redirects are still checked. */
  readonly trustUrl?: boolean;
}

interface SafeResponse extends ResponseBody {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** The caller must read the body or cancel it. Rejects with a `SafeFetchError`. */
export type SafeFetch = (request: SafeRequest) => Promise<SafeResponse>;

export interface SafeFetchOptions {
  /** Private ranges that are allowed. */
  readonly allow?: CidrSet;
  readonly resolve?: ResolveHost;
  readonly proxy?: OutgoingProxy | undefined;
  /** Certificates to trust, in PEM form, instead of the ones that Node trusts. */
  readonly ca?: string;
}

const GET_REDIRECTS = 5;
const FOLLOWED: Readonly<Record<'GET' | 'POST', readonly number[]>> = {
  GET: [301, 302, 303, 307, 308],
  // The others would turn a POST into a GET without its body.
  POST: [307, 308],
};
/** Headers that are not sent on to another host after a redirect. */
const SECRET_HEADERS: readonly string[] = ['authorization', 'cookie', 'proxy-authorization'];

/**
 * The service sends every request to an address that others chose through this function. It resolves the host
 * itself, checks every address, and connects only to a checked address, also through a proxy. A later DNS answer has no
 * effect. Only a name that the operator chose is left to a proxy, or every name if the operator says that it checks them.
 */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const { allow, resolve = systemResolve, ca, proxy } = options;
  return async (request) => {
    const method = request.method ?? 'GET';
    const maxRedirects = request.maxRedirects ?? (method === 'GET' ? GET_REDIRECTS : 0);
    const deadline = startDeadline(request.timeoutMs);
    let url = readUrl(request.url);
    let headers = request.headers ?? {};
    for (let redirects = 0; ; redirects += 1) {
      const allowed = request.trustUrl === true && redirects === 0 ? 'everything' : allow;
      const through = proxy !== undefined && goesThrough(proxy, url) ? proxy : undefined;
      const proxyResolves = through?.resolves === true || (through !== undefined && allowed === 'everything');
      const addresses =
        proxyResolves && literalOf(url) === undefined
          ? []
          : await deadline.limit(addressesOf(url, allowed, resolve, through !== undefined));
      const socket =
        through && (await connectThrough(through, addresses[0]?.address ?? url.hostname, url, deadline, ca));
      const response = await send(url, {
        method,
        headers,
        body: request.body,
        addresses,
        socket,
        deadline,
        ca,
      });
      const { statusCode: status = 0 } = response;
      const { location } = response.headers;
      if (maxRedirects === 0 || location === undefined || !FOLLOWED[method].includes(status)) {
        const body = createResponseBody(response, { maxBytes: request.maxBytes, deadline });
        return { status, headers: response.headers, ...body };
      }
      response.destroy();
      if (redirects === maxRedirects)
        throw new SafeFetchError('redirect', `redirects more than ${maxRedirects} times`);
      const next = readUrl(location, url);
      if (url.protocol === 'https:' && next.protocol !== 'https:')
        throw new SafeFetchError('redirect', 'redirects away from HTTPS');
      if (next.origin !== url.origin) headers = withoutSecrets(headers);
      url = next;
    }
  };
}

function readUrl(text: string, base?: URL): URL {
  if (!URL.canParse(text, base?.href)) throw new SafeFetchError('url', `${text.slice(0, 200)} is not a URL`);
  const url = new URL(text, base);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new SafeFetchError('url', `${url.protocol} is not supported; use https: or http:`);
  return url;
}

/** `URL` has already turned decimal, octal and hexadecimal spellings of IPv4 addresses into dotted ones. */
function literalOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? undefined : host;
}

async function addressesOf(
  url: URL,
  allow: AllowedRanges,
  resolve: ResolveHost,
  hasProxy: boolean,
): Promise<CheckedAddress[]> {
  const { hostname } = url;
  const literal = literalOf(url);
  const found = literal === undefined ? await resolveHost(hostname, resolve, hasProxy) : [literal];
  const checked = found.flatMap((address) => checkAddress(address, allow) ?? []);
  if (checked.length === 0)
    throw new SafeFetchError('private-address', `${hostname} points to a private address`);
  return checked;
}

/** Networks with a proxy often have a resolver that knows only their own names. */
const PROXY_ADVICE = '; POSTERN_PROXY_RESOLVES=on leaves that to a proxy that refuses private addresses';

async function resolveHost(
  hostname: string,
  resolve: ResolveHost,
  hasProxy: boolean,
): Promise<readonly string[]> {
  try {
    const addresses = await resolve(hostname);
    if (addresses.length > 0) return addresses;
  } catch (cause) {
    throw new SafeFetchError('unresolved', `${hostname} cannot be resolved${hasProxy ? PROXY_ADVICE : ''}`, {
      cause,
    });
  }
  throw new SafeFetchError('unresolved', `${hostname} has no address`);
}

interface Sending {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly addresses: readonly CheckedAddress[];
  /** Connected already, through a proxy. */
  readonly socket: TLSSocket | undefined;
  readonly deadline: Deadline;
  readonly ca: string | undefined;
}

function send(
  url: URL,
  { method, headers, body, addresses, socket, deadline, ca }: Sending,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const length = body === undefined ? undefined : String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers: { ...headers, ...(length !== undefined && { 'content-length': length }) },
        signal: deadline.signal,
        // Connections are not reused, because the address was checked for one request only.
        ...(socket === undefined
          ? { lookup: pinnedLookup(addresses), agent: false }
          : { createConnection: () => socket }),
        ...(ca !== undefined && { ca }),
      },
      resolve,
    );
    sent.on('error', (error) => reject(deadline.explain(error)));
    sent.end(body);
  });
}

/** Returns the checked addresses, whatever DNS says now. */
function pinnedLookup(addresses: readonly CheckedAddress[]): LookupFunction {
  const [first] = addresses;
  return (_hostname, options, callback) => {
    if (first === undefined) return callback(new Error('no address'), '', 0);
    if (options.all === true) return callback(null, [...addresses]);
    return callback(null, first.address, first.family);
  };
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !SECRET_HEADERS.includes(name.toLowerCase())),
  );
}
