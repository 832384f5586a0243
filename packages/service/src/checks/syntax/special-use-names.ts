/** Top-level names that are reserved with everything below them. */
const SPECIAL_USE: ReadonlySet<string> = new Set([
  // RFC 6761, 6.2 to 6.5.
  'test',
  'localhost',
  'invalid',
  'example',
  // RFC 6762, multicast DNS.
  'local',
  // RFC 7686, Tor.
  'onion',
  // RFC 9476, names outside DNS.
  'alt',
  // ICANN resolution 2024.07.29.06, private networks.
  'internal',
  // RFC 3172: infrastructure only. Holds home.arpa (RFC 8375) and the reverse zones of RFC 6761, 6.1.
  'arpa',
]);

/**
 * `example.com`, `.net` and `.org` are reserved too, but they are well-formed and people try them first. They pass here
 * and fail in the mx check through their null MX.
 */
export function isSpecialUse(asciiDomain: string): boolean {
  return SPECIAL_USE.has(asciiDomain.slice(asciiDomain.lastIndexOf('.') + 1));
}
