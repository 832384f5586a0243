import { type IpAddress, parseIpAddress } from './ip-address.ts';

/**
 * Parses an address as proxies and frameworks write it, optionally with a port, brackets or a zone. `parseIpAddress` is
 * the strict parser.
 */
export function parseWrittenIp(written: string): IpAddress | undefined {
  const text = written.trim();
  const plain = parseIpAddress(text);
  if (plain !== undefined) return plain;
  const bracketed = /^\[([^\]]*)\](?::[0-9]{1,5})?$/.exec(text);
  if (bracketed?.[1] !== undefined) return readUnzoned(bracketed[1]);
  const withPort = /^([0-9.]{7,15}):[0-9]{1,5}$/.exec(text);
  return withPort?.[1] !== undefined ? parseIpAddress(withPort[1]) : readUnzoned(text);
}

/** A zone (RFC 4007 section 11) names an interface of the sender’s machine and means nothing here. */
function readUnzoned(text: string): IpAddress | undefined {
  const percent = text.indexOf('%');
  if (percent < 0) return parseIpAddress(text);
  const ip = parseIpAddress(text.slice(0, percent));
  return ip?.version === 6 && percent + 1 < text.length ? ip : undefined;
}
