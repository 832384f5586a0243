import type { IncomingMessage } from 'node:http';
import type { ErrorName } from '@postern/contract';

/** The protocol error that makes a request unacceptable whatever its route, or `undefined`. */
export function protocolError({ httpVersion, headers, rawHeaders }: IncomingMessage): ErrorName | undefined {
  // Node’s parser lets HTTP/0.9 (no version at all) and 2.0 through.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'MALFORMED_HTTP';
  if (!hasOneHost(rawHeaders, httpVersion)) return 'HOST_INVALID';
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity' ? undefined : 'ENCODING_UNSUPPORTED';
}

/** RFC 9112 section 3.2. Node itself would keep the first of several. */
function hasOneHost(rawHeaders: readonly string[], httpVersion: string): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'host') continue;
    hosts += 1;
    if (rawHeaders[at + 1]?.trim() === '') return false;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
