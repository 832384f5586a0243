import { isIP } from 'node:net';

export interface DnsServerAddress {
  readonly host: string;
  readonly port: number;
  /** As an operator writes it: `192.0.2.1:53`, `[2001:db8::1]:53`. */
  readonly text: string;
}

const DNS_PORT = 53;

/**
 * Reads `host`, `host:port`, a bare IPv6 address or `[IPv6]:port`, the forms of POSTERN_DNS_SERVERS and of
 * `dns.getServers()`. `undefined` for any other text.
 */
export function parseDnsServerAddress(text: string): DnsServerAddress | undefined {
  const trimmed = text.trim();
  if (isIP(trimmed) === 6) return address(trimmed, DNS_PORT);
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(trimmed);
  if (bracketed !== null) {
    const [, host = '', port] = bracketed;
    return isIP(host) === 6 ? withPort(host, port) : undefined;
  }
  const plain = /^([A-Za-z0-9._-]+)(?::(\d{1,5}))?$/.exec(trimmed);
  return plain === null ? undefined : withPort(plain[1] ?? '', plain[2]);
}

function withPort(host: string, portText: string | undefined): DnsServerAddress | undefined {
  const port = portText === undefined ? DNS_PORT : Number(portText);
  return port >= 1 && port <= 65_535 ? address(host, port) : undefined;
}

function address(host: string, port: number): DnsServerAddress {
  return { host, port, text: isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}` };
}
