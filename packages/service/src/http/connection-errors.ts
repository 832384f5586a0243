import { randomUUID } from 'node:crypto';
import { type IncomingMessage, METHODS } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { apiError, type ErrorName, VALIDATE_PATHS } from '@postern/contract';
import { refusal } from './http-message.ts';
import { type OpenExchanges, openExchanges } from './open-exchanges.ts';
import { endSocket } from './raw-socket.ts';
import { responseText } from './response-text.ts';

/** What Node reports about bytes it could not read. */
interface ConnectionError {
  readonly code?: string;
  /** The bytes; a Buffer, although Fastify types it as the JSON form of one. */
  readonly rawPacket?: unknown;
}

/** A request line (RFC 9112 section 3). */
const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) (\/[^ ?\r\n]*)(?:\?[^ \r\n]*)? HTTP\/1\.[01]\r\n/;
const LONGEST_LINE = 500;
/** How far a raw answer searches for the Origin header. */
const LONGEST_HEAD = 32 * 1024;
const ORIGIN_LINE = /\r\norigin:[ \t]*([!-~]{1,300})[ \t]*\r\n/i;

/** Whether the requests before the error were complete or already answered. Their answers are sent first. */
function hasToWait({ serving, waiting }: OpenExchanges): boolean {
  const pending = serving === undefined ? waiting : [serving, ...waiting];
  return (
    pending.length > 0 &&
    (pending.some(([, response]) => response.headersSent) || pending.every(([request]) => request.complete))
  );
}

/** Answers bytes that are not a request, in JSON like every other error, and closes the connection. */
export function answerConnectionError(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  afterEarlierAnswers(socket, () => answerNow(error, socket));
}

/** Nothing is served through a tunnel. */
export function answerConnect(request: IncomingMessage, socket: Duplex): void {
  afterEarlierAnswers(socket, () => answerRaw('METHOD_NOT_ALLOWED', socket, request.headers.origin));
}

function afterEarlierAnswers(socket: Duplex, answer: () => void): void {
  const exchanges = openExchanges(socket);
  if (exchanges !== undefined && hasToWait(exchanges)) exchanges.afterwards = answer;
  else answer();
}

function answerNow(error: ConnectionError, socket: Socket): void {
  const origin = originOf(error);
  if (hasUnknownMethod(error)) answerRaw('METHOD_NOT_ALLOWED', socket, origin, { Allow: 'POST, OPTIONS' });
  else answerRaw(errorNameOf(error.code), socket, origin);
}

/** Answers a connection that has no response object, and closes it. */
function answerRaw(
  name: ErrorName,
  socket: Duplex,
  origin: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  const answer = refusal(apiError(name));
  const text = responseText(
    { ...answer, headers: { ...answer.headers, ...headers } },
    {
      requestId: randomUUID(),
      // The origin is unknown here, and these errors are the same for every origin.
      origin: origin ?? '*',
      last: true,
      bodyBytes: Buffer.byteLength(answer.body),
    },
  );
  endSocket(socket, text);
}

/** Node’s parser refuses methods it does not know, and `post` in lower case, before it looks for a route. */
function hasUnknownMethod({ code, rawPacket }: ConnectionError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || !Buffer.isBuffer(rawPacket)) return false;
  const [, method = '', path] = REQUEST_LINE.exec(rawPacket.toString('latin1', 0, LONGEST_LINE)) ?? [];
  // A known method was already answered. The unreadable bytes came after it in the same packet.
  return !METHODS.includes(method) && VALIDATE_PATHS.some((one) => one === path);
}

function originOf({ rawPacket }: ConnectionError): string | undefined {
  if (!Buffer.isBuffer(rawPacket)) return undefined;
  return ORIGIN_LINE.exec(rawPacket.toString('latin1', 0, LONGEST_HEAD))?.[1];
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
