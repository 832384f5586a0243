import { MAX_BODY_BYTES, VALIDATE_PATHS } from '@postern/contract';
import { MAX_HEADER_BYTES } from '../header-limit.ts';

/** A `POST /validate` with nothing unusual about it. */
export interface PlainRequest {
  readonly path: string;
  /** The names are in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const REQUEST_LINES = VALIDATE_PATHS.map((path) => ({ path, line: `POST ${path} HTTP/1.1\r\n` }));
/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110 section 5.5, ASCII only. */
const VALUE = /^[\t -~]*$/;
const LENGTH = /^[0-9]{1,5}$/;
/** Headers that change how the connection or the body is read. */
const UNUSUAL = new Set([
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'proxy-connection',
  'trailer',
]);

/**
 * Reads bytes that are exactly one ordinary request, from the first byte to the last. Anything doubtful (a repeated
 * header, a folded line, a missing Host, a byte too few or too many) is `undefined` and left to Node’s parser, so this
 * parser never has to be lenient. Linear time.
 */
export function readPlainRequest(bytes: Buffer): PlainRequest | undefined {
  if (bytes.length > MAX_HEADER_BYTES + MAX_BODY_BYTES) return undefined;
  const text = bytes.toString('latin1');
  const start = REQUEST_LINES.find(({ line }) => text.startsWith(line));
  const headEnd = text.indexOf('\r\n\r\n');
  if (start === undefined || headEnd < start.line.length || headEnd > MAX_HEADER_BYTES) return undefined;
  const headers = readHeaders(text, start.line.length, headEnd);
  if (headers === undefined || !headers.get('host')) return undefined;
  const length = headers.get('content-length');
  const bodyAt = headEnd + 4;
  if (length === undefined || !LENGTH.test(length) || Number(length) > MAX_BODY_BYTES) return undefined;
  if (bodyAt + Number(length) !== bytes.length) return undefined;
  return { path: start.path, headers, body: bytes.subarray(bodyAt) };
}

function readHeaders(text: string, from: number, headEnd: number): Map<string, string> | undefined {
  const headers = new Map<string, string>();
  for (let at = from; at < headEnd; ) {
    const end = text.indexOf('\r\n', at);
    const colon = text.indexOf(':', at);
    if (colon < 0 || colon > end) return undefined;
    const name = text.slice(at, colon).toLowerCase();
    const raw = text.slice(colon + 1, end);
    if (!TOKEN.test(name) || !VALUE.test(raw) || headers.has(name)) return undefined;
    const value = raw.trim();
    // Clients write one space before a value and none after it. Parsers treat other white space differently (Node
    // refuses a tab after a length), so it is left to Node.
    if (raw !== value && raw !== ` ${value}`) return undefined;
    if (UNUSUAL.has(name)) return undefined;
    if (name === 'connection' && value.toLowerCase() !== 'keep-alive') return undefined;
    headers.set(name, value);
    at = end + 2;
  }
  return headers;
}
