import { type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type AnswerContext, answerHeaders } from './answer-headers.ts';
import type { HttpResponse } from './http-message.ts';
import { type PlainRequest, readPlainRequest } from './plain-request.ts';

export interface ExpressLaneOptions {
  /** `secureConnection` where the server speaks TLS. */
  readonly event: 'connection' | 'secureConnection';
  /** How long a connection may wait for its first request, and for its next. */
  readonly firstRequestMs: number;
  readonly keepAliveMs: number;
  /** How long, when the lane closes, a request still gets its answer that was on its way on an idle connection. */
  readonly lastRequestsMs: number;
  readonly serve: (request: PlainRequest, requestId: string, peer: string) => Promise<HttpResponse>;
  readonly requestIdOf: (header: string | undefined) => string;
}

export interface ExpressLane {
  /** Closes each connection with its answer, and in a moment those that are idle. */
  close(): void;
}

interface FastConnection {
  readonly socket: Socket;
  /** Whether nothing has come yet. */
  isNew: boolean;
  /** Whether a request is being answered. */
  busy: boolean;
}

/**
 * Answers ordinary requests straight from the connection’s bytes to its bytes: Node’s request, response and streams
 * cost as much as all of our own work. At the first bytes that are not exactly one ordinary request the connection
 * goes over to Node’s server for good, with those bytes as its first.
 */
export function addExpressLane(server: Server, options: ExpressLaneOptions): ExpressLane {
  const toNode = server.listeners(options.event) as ((socket: Socket) => void)[];
  const lines = new Set<FastConnection>();
  let closing = false;

  const take = (socket: Socket): void => {
    const peer = socket.remoteAddress ?? '';
    const line: FastConnection = { socket, isNew: true, busy: false };
    let ended = false;
    /** What came while a request was being answered. */
    let early: Buffer | undefined;

    const answer = async (request: PlainRequest): Promise<void> => {
      line.busy = true;
      const requestId = options.requestIdOf(request.headers.get('x-request-id'));
      const made = await options.serve(request, requestId, peer);
      const last = closing || ended || made.status === 413;
      const bodyBytes = Buffer.byteLength(made.body);
      const origin = request.headers.get('origin');
      const text = writeAnswer(made, options.keepAliveMs, { requestId, origin, last, bodyBytes });
      // Of ASCII both encodings make the same bytes, and Node is faster at this one.
      const encoding = bodyBytes === made.body.length ? 'latin1' : 'utf8';
      line.busy = false;
      if (last) {
        socket.end(text, encoding);
        // A peer that does not close its half would keep the connection.
        socket.destroySoon();
        return;
      }
      const taken = socket.write(text, encoding);
      if (early !== undefined && !socket.destroyed) handOver(early);
      else if (!taken) {
        // Who does not read its answers is not served more of them.
        socket.pause();
        socket.once('drain', () => socket.resume());
      }
    };
    const listeners = {
      data: (bytes: Buffer) => {
        if (line.busy) {
          early = bytes;
          socket.pause();
          return;
        }
        const request = readPlainRequest(bytes);
        // A little longer than the peer is told, so that its next request does not meet a closing door.
        if (request !== undefined && line.isNew) socket.setTimeout(options.keepAliveMs + 1_000);
        line.isNew = false;
        if (request === undefined) handOver(bytes);
        else void answer(request);
      },
      end: () => {
        ended = true;
        if (!line.busy) socket.end();
      },
      timeout: () => socket.destroy(),
      error: () => socket.destroy(),
      close: () => lines.delete(line),
    };
    const handOver = (bytes: Buffer): void => {
      lines.delete(line);
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      socket.setTimeout(0);
      socket.pause();
      socket.unshift(bytes);
      for (const listener of toNode) listener.call(server, socket);
      socket.resume();
    };

    lines.add(line);
    socket.setTimeout(options.firstRequestMs);
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
  };

  server.removeAllListeners(options.event);
  server.on(options.event, take);
  return {
    close: () => {
      closing = true;
      setTimeout(() => {
        for (const { socket, busy } of lines) if (!busy) socket.destroy();
      }, options.lastRequestsMs).unref();
    },
  };
}

function writeAnswer(answer: HttpResponse, keepAliveMs: number, context: AnswerContext): string {
  const headers = answerHeaders(answer, context);
  let text = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\nDate: ${dateNow()}\r\n`;
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  if (!context.last) text += `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;
  return `${text}\r\n${answer.body}`;
}

let dateSecond = -1;
let dateText = '';

function dateNow(): string {
  const second = Math.floor(Date.now() / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(second * 1000).toUTCString();
  }
  return dateText;
}
