import { request } from 'node:http';
import type { Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { createCidrSet, parseCidr } from '../../model/cidr.ts';
import { parseIpAddress } from '../../model/ip-address.ts';
import { type Deadline, SafeFetchError } from './safe-fetch-error.ts';

/** The way out of an operator’s network for `https:`. */
export interface OutgoingProxy {
  /** `http://…`, with user and password if it wants them. */
  readonly url: string;
  /** Hosts that are reached without it: names with everything under them, addresses, ranges, or `*` for all. */
  readonly except: readonly string[];
  /** It resolves names that others chose, and refuses private addresses itself. */
  readonly resolves: boolean;
}

export function goesThrough({ except }: OutgoingProxy, { protocol, hostname }: URL): boolean {
  if (protocol !== 'https:') return false;
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const ip = parseIpAddress(host);
  if (ip !== undefined && createCidrSet(except.flatMap((each) => parseCidr(each) ?? [])).has(ip))
    return false;
  const names = except.map((each) => each.toLowerCase().replace(/^\*?\./, ''));
  return !names.some((name) => name === '*' || host === name || host.endsWith(`.${name}`));
}

/** TLS with the host of the URL, through the proxy, which connects to `target`: a checked address, or a name. */
export async function connectThrough(
  proxy: OutgoingProxy,
  target: string,
  { hostname, port }: URL,
  deadline: Deadline,
  ca: string | undefined,
): Promise<TLSSocket> {
  const place = `${target.includes(':') ? `[${target}]` : target}:${port || 443}`;
  const socket = await deadline.limit(openTunnel(proxy, place, deadline));
  const host = hostname.replace(/^\[|\]$/g, '');
  const isName = parseIpAddress(host) === undefined;
  return connect({ socket, host, ...(isName && { servername: host }), ...(ca !== undefined && { ca }) });
}

function openTunnel({ url }: OutgoingProxy, place: string, deadline: Deadline): Promise<Socket> {
  const { hostname, port, username, password } = new URL(url);
  const account = [username, password].map(decodeURIComponent).join(':');
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'CONNECT',
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port || 80,
      path: place,
      headers: {
        host: place,
        ...(username !== '' && { 'proxy-authorization': `Basic ${Buffer.from(account).toString('base64')}` }),
      },
      agent: false,
      signal: deadline.signal,
    });
    asked.once('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(
        new SafeFetchError(
          'connection',
          `cannot be reached: the proxy of HTTPS_PROXY answered ${statusCode}`,
        ),
      );
    });
    asked.once('response', (response) => {
      response.destroy();
      reject(new SafeFetchError('connection', 'cannot be reached: HTTPS_PROXY names no proxy'));
    });
    asked.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new SafeFetchError('connection', `cannot be reached: the proxy of HTTPS_PROXY fails (${error.code})`),
      ),
    );
    asked.end();
  });
}
