import { randomUUID } from 'node:crypto';
import { METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { apiError, type ErrorName, VALIDATE_PATHS } from '@postern/contract';

/** What Node tells of bytes that it could not read; the bytes begin with the request unless others came with it. */
interface ConnectionError {
  readonly code?: string;
  /** A Buffer; Fastify types it as what JSON makes of one. */
  readonly rawPacket?: unknown;
}

/** A request line (RFC 9112 section 3) whose method, a token, is one that Node has never heard of. */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) (\/[^ ?\r\n]*)(?:\?[^ \r\n]*)? HTTP\/1\.[01]\r\n/;
const LONGEST_LINE = 500;

/** Answers bytes that never became a request: JSON like every other error, then the connection ends. */
export function answerConnectionError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (hasUnknownMethod(error)) answerRaw('METHOD_NOT_ALLOWED', socket, 'Allow: POST, OPTIONS\r\n');
  else answerRaw(errorNameOf(error.code), socket);
}

/** An answer written by hand where there is no response object to write to. */
export function answerRaw(name: ErrorName, socket: Duplex, headers = ''): void {
  const { status, body } = apiError(name);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nX-Request-Id: ${randomUUID()}\r\n${headers}Connection: close\r\n\r\n${text}`,
  );
}

/** Node’s parser refuses methods that it does not know, and `post` in small letters, before any route is looked for. */
function hasUnknownMethod({ code, rawPacket }: ConnectionError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return false;
  const [, method = '', path] = REQUEST_LINE.exec(rawPacket.toString('latin1', 0, LONGEST_LINE)) ?? [];
  // A known one was answered already: what could not be read came after it in the same packet.
  return !METHODS.includes(method) && VALIDATE_PATHS.some((known) => known === path);
}

function errorNameOf(code: string | undefined): ErrorName {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'HEADERS_TOO_LARGE';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'REQUEST_TIMEOUT';
    default:
      return 'MALFORMED_HTTP';
  }
}
