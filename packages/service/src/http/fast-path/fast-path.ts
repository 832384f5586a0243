import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { OnGone } from '../../lookup/dns/mail-lookup.ts';
import { connectionGone } from '../connection-gone.ts';
import type { HttpResponse } from '../http-message.ts';
import { endSocket } from '../raw-socket.ts';
import { responseText } from '../response-text.ts';
import { type PlainRequest, readPlainRequest } from './plain-request.ts';

export interface FastPathOptions {
  /** `secureConnection` where the server speaks TLS. */
  readonly event: 'connection' | 'secureConnection';
  /** How long a connection may wait for its first request. */
  readonly firstRequestMs: number;
  /** How long a connection may wait for its next request. */
  readonly keepAliveMs: number;
  /** When the server closes: how long requests that are already on their way are still answered. */
  readonly lastRequestsMs: number;
  readonly serve: (request: PlainRequest, requestId: string, client: Client) => Promise<HttpResponse>;
  readonly requestIdOf: (header: string | undefined) => string;
}

/** The other end of a connection. */
interface Client {
  readonly peer: string;
  readonly onGone: OnGone;
}

export interface FastPath {
  /** Ends each connection with its current answer, and idle connections after `lastRequestsMs`. */
  close(): void;
}

interface FastConnection {
  readonly socket: Socket;
  /** Whether nothing has arrived yet. */
  isNew: boolean;
  /** Whether a request is being answered. */
  busy: boolean;
}

/**
 * Answers ordinary requests straight from the connection’s bytes, because Node’s request, response and streams cost as
 * much as all our own work. The first bytes that are not exactly one ordinary request hand the connection over to
 * Node’s server for good, together with those bytes.
 */
export function addFastPath(server: Server, options: FastPathOptions): FastPath {
  const nodeListeners = server.listeners(options.event) as ((socket: Socket) => void)[];
  const connections = new Set<FastConnection>();
  let closing = false;

  const accept = (socket: Socket): void => {
    const client: Client = { peer: socket.remoteAddress ?? '', onGone: connectionGone(socket) };
    const connection: FastConnection = { socket, isNew: true, busy: false };
    let ended = false;
    /** What arrived while a request was being answered. */
    let early: Buffer | undefined;

    const answer = async (request: PlainRequest): Promise<void> => {
      connection.busy = true;
      const requestId = options.requestIdOf(request.headers.get('x-request-id'));
      const response = await options.serve(request, requestId, client);
      const last = closing || ended || response.status === 413;
      const bodyBytes = Buffer.byteLength(response.body);
      const origin = request.headers.get('origin');
      const text = responseText(response, { requestId, origin, last, bodyBytes }, options.keepAliveMs);
      // For ASCII both encodings give the same bytes, and latin1 is faster.
      const encoding = bodyBytes === response.body.length ? 'latin1' : 'utf8';
      connection.busy = false;
      if (last) {
        endSocket(socket, text, encoding);
        return;
      }
      const flushed = socket.write(text, encoding);
      if (early !== undefined && !socket.destroyed) handOver(early);
      else if (!flushed) {
        // A peer that does not read its answers gets no further ones.
        socket.pause();
        socket.once('drain', () => socket.resume());
      }
    };
    const listeners = {
      data: (bytes: Buffer) => {
        if (connection.busy) {
          early = bytes;
          socket.pause();
          return;
        }
        const request = readPlainRequest(bytes);
        // A little longer than announced to the peer, so that its next request does not hit a closing connection.
        if (request !== undefined && connection.isNew) socket.setTimeout(options.keepAliveMs + 1_000);
        connection.isNew = false;
        if (request === undefined) handOver(bytes);
        else void answer(request);
      },
      end: () => {
        ended = true;
        if (!connection.busy) endSocket(socket, '');
      },
      timeout: () => socket.destroy(),
      error: () => socket.destroy(),
      close: () => connections.delete(connection),
    };
    const handOver = (bytes: Buffer): void => {
      connections.delete(connection);
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      socket.setTimeout(0);
      socket.pause();
      socket.unshift(bytes);
      for (const listener of nodeListeners) listener.call(server, socket);
      socket.resume();
    };

    connections.add(connection);
    socket.setTimeout(options.firstRequestMs);
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
  };

  server.removeAllListeners(options.event);
  server.on(options.event, accept);
  return {
    close: () => {
      closing = true;
      setTimeout(() => {
        for (const { socket, busy } of connections) if (!busy) socket.destroy();
      }, options.lastRequestsMs).unref();
    },
  };
}
