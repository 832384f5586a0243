import type { KeyType } from '@postern/contract';
import { type Cidr, createCidrSet, parseCidr } from '../model/cidr.ts';
import { CLOUDFLARE_IP_HEADER, CLOUDFLARE_NETWORKS } from '../model/edge-networks.ts';
import type { IpAddress } from '../model/ip-address.ts';
import { PRIVATE_NETWORKS } from '../model/reserved-networks.ts';
import { parseWrittenIp } from '../model/written-ip.ts';

/** Loopback and private ranges. A connection from there comes from one of the operator’s own proxies. */
export const DEFAULT_TRUSTED_PROXIES: readonly Cidr[] = cidrsOf(PRIVATE_NETWORKS);

const PRIVATE = createCidrSet(DEFAULT_TRUSTED_PROXIES);
const EDGE = createCidrSet(cidrsOf(CLOUDFLARE_NETWORKS));

function cidrsOf(ranges: readonly string[]): readonly Cidr[] {
  return ranges.map((text) => parseCidr(text)).filter((cidr) => cidr !== undefined);
}

/**
 * Reads a comma list of ranges and addresses. `private` stands for the default ranges, so that a list can add to
 * them; an empty list trusts no proxy. Throws an Error that names every entry that is neither.
 */
export function parseTrustedProxies(text: string): readonly Cidr[] {
  const cidrs: Cidr[] = [];
  const faults: string[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    if (entry.toLowerCase() === 'private') {
      cidrs.push(...DEFAULT_TRUSTED_PROXIES);
      continue;
    }
    const cidr = parseCidr(entry);
    if (cidr === undefined) faults.push(`“${entry}”`);
    else cidrs.push(cidr);
  }
  if (faults.length > 0) {
    throw new Error(`${faults.join(', ')}: neither an IP address nor a CIDR range such as 10.0.0.0/8`);
  }
  return cidrs;
}

export interface ClientIpOptions {
  readonly trustedProxies: Iterable<Cidr>;
  /** Case-insensitive. `undefined` if no edge network sets one. */
  readonly clientIpHeader: string | undefined;
  /** Called once, when `CF-Connecting-IP` is ignored because it did not come from Cloudflare. */
  readonly onForgedCfHeader?: () => void;
}

export interface ConnectionFacts {
  /** The socket’s remote address. */
  readonly peer: string | undefined;
  /** A request header by its lower-case name; repeated ones joined by commas. */
  readonly headers: (name: string) => string | undefined;
  readonly keyType: KeyType;
  /** `ip` of the body. It only counts with a server key. */
  readonly bodyIp?: string | undefined;
}

/** Whether the peer of a connection is a proxy whose headers are trusted. */
export function createProxyTrust(trustedProxies: Iterable<Cidr>): (peer: string) => boolean {
  const trusted = createCidrSet(trustedProxies);
  return (peer) => {
    const socket = parseWrittenIp(peer);
    return socket !== undefined && trusted.has(socket);
  };
}

/**
 * Whether a request comes from this machine or a private network, by the connection and by every address that a proxy
 * states for it. One public or unreadable address makes it `false`, so that a forged header cannot make it `true`.
 */
export function createPrivateCallerTest(
  clientIpHeader: string | undefined,
): (connection: Pick<ConnectionFacts, 'peer' | 'headers'>) => boolean {
  const isPrivate = (written: string) => {
    const ip = parseWrittenIp(written);
    return ip !== undefined && PRIVATE.has(ip);
  };
  const names = [
    'x-forwarded-for',
    'x-real-ip',
    ...(clientIpHeader === undefined ? [] : [clientIpHeader.toLowerCase()]),
  ];
  return ({ peer, headers }) => {
    if (peer === undefined || !isPrivate(peer) || headers('forwarded') !== undefined) return false;
    const stated = names.flatMap((name) => headers(name)?.split(',') ?? []);
    return stated.every((written) => written.trim() === '' || isPrivate(written));
  };
}

export type ClientIp = (facts: ConnectionFacts) => IpAddress | undefined;

/**
 * Finds the client address of a request. Clients can forge forwarding headers, so headers count only if the connection
 * itself comes from a trusted proxy. Most proxies pass on headers that they do not know, so `CF-Connecting-IP` does not count
 * where the proxies say that the request came to them from elsewhere than Cloudflare.
 */
export function createClientIp(options: ClientIpOptions): ClientIp {
  const trusted = createCidrSet(options.trustedProxies);
  const edgeHeader = options.clientIpHeader?.trim().toLowerCase();
  const isCloudflares = edgeHeader === CLOUDFLARE_IP_HEADER.toLowerCase();
  let wasForged = false;
  const stated = (headers: ConnectionFacts['headers']): IpAddress | undefined => {
    const value = edgeHeader ? headers(edgeHeader) : undefined;
    return value === undefined ? undefined : parseWrittenIp(value);
  };
  const fromHeaders = (headers: ConnectionFacts['headers']): IpAddress | undefined => {
    const edge = stated(headers);
    if (edge !== undefined && !isCloudflares) return edge;
    const forwardedFor = headers('x-forwarded-for');
    const hop = forwardedFor === undefined ? undefined : walkForwardedFor(forwardedFor, trusted.has);
    if (edge === undefined || hop === undefined) return edge ?? hop;
    if (trusted.has(hop) || EDGE.has(hop) || hop.text === edge.text) return edge;
    if (!wasForged) options.onForgedCfHeader?.();
    wasForged = true;
    return hop;
  };
  const believed = (socket: IpAddress, headers: ConnectionFacts['headers']): IpAddress | undefined => {
    if (trusted.has(socket)) return fromHeaders(headers);
    return isCloudflares && EDGE.has(socket) ? stated(headers) : undefined;
  };

  return ({ peer, headers, keyType, bodyIp }) => {
    if (keyType === 'server' && bodyIp !== undefined) return parseWrittenIp(bodyIp);
    const socket = peer === undefined ? undefined : parseWrittenIp(peer);
    const forwarded = socket && believed(socket, headers);
    // A backend’s own address is not the end user’s address.
    return forwarded ?? (keyType === 'client' ? socket : undefined);
  };
}

/**
 * Each proxy appends the address that connected to it. So reading from the right, all trusted hops can be believed, and
 * the first address that is not trusted is the client’s. Entries to the left of it could be forged by the client. If
 * every hop is trusted, the client is inside the trusted networks and is the leftmost entry. Everything left of an
 * unreadable entry is ignored.
 */
function walkForwardedFor(
  forwardedFor: string,
  isTrusted: (ip: IpAddress) => boolean,
): IpAddress | undefined {
  let walked: IpAddress | undefined;
  let end = forwardedFor.length;
  while (end >= 0) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    const entry = forwardedFor.slice(comma + 1, end).trim();
    end = comma;
    // Empty list elements are ignored (RFC 9110 section 5.6.1.2).
    if (entry === '') continue;
    const hop = parseWrittenIp(entry);
    if (hop === undefined) return walked;
    walked = hop;
    if (!isTrusted(hop)) return hop;
  }
  return walked;
}
