import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many requests of one connection are served at the same time. */
const MAX_OPEN = 8;
/** How many read requests may wait in the whole process. Each takes a few kilobytes. */
const MAX_WAITING = 4_096;

type Exchange = readonly [IncomingMessage, ServerResponse];

/** The requests of one connection that are not answered yet. */
export interface OpenExchanges {
  /** Those that are being served. */
  readonly responses: Map<ServerResponse, IncomingMessage>;
  /** Those that were read and have to wait. */
  readonly waiting: Exchange[];
  /** Called once every response has been sent. */
  afterwards?: () => void;
}

const exchangesOf = new WeakMap<Duplex, OpenExchanges>();

export function openExchanges(socket: Duplex): OpenExchanges | undefined {
  return exchangesOf.get(socket);
}

/**
 * Serves a few requests of a connection at a time. Node hands over every pipelined request as soon as it is read, up to
 * thousands from one packet, and each would hold its memory and files until the peer has read all answers before it. The
 * rest waits here, and the connection is not read meanwhile. If too many wait in the whole process, the connection that
 * brings one more is closed.
 */
export function limitExchanges(server: Server): void {
  const serve = server.listeners('request') as ((...exchange: Exchange) => void)[];
  let waitingInAll = 0;

  const open = (socket: Duplex): OpenExchanges => {
    const exchanges: OpenExchanges = { responses: new Map(), waiting: [] };
    exchangesOf.set(socket, exchanges);
    socket.once('close', () => {
      waitingInAll -= exchanges.waiting.length;
      exchanges.waiting.length = 0;
      setImmediate(closeQueued, exchanges.responses);
    });
    return exchanges;
  };
  const begin = (exchanges: OpenExchanges, [request, response]: Exchange): void => {
    exchanges.responses.set(response, request);
    response.once('close', () => {
      exchanges.responses.delete(response);
      if (request.socket.destroyed) return;
      const next = exchanges.waiting.shift();
      if (next !== undefined) {
        waitingInAll -= 1;
        if (exchanges.waiting.length === 0) request.socket.resume();
        begin(exchanges, next);
      } else if (exchanges.responses.size === 0) exchanges.afterwards?.();
    });
    for (const listener of serve) listener.call(server, request, response);
  };

  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // The rest of a packet is still parsed after the connection was closed.
    if (socket.destroyed) return;
    const exchanges = exchangesOf.get(socket) ?? open(socket);
    if (exchanges.responses.size < MAX_OPEN) begin(exchanges, [request, response]);
    else if (waitingInAll >= MAX_WAITING) socket.destroy();
    else {
      waitingInAll += 1;
      exchanges.waiting.push([request, response]);
      socket.pause();
    }
  });
}

/** Node 20 and 22 tell only the response that is being sent that its connection has closed. The others end here. */
function closeQueued(responses: OpenExchanges['responses']): void {
  for (const response of [...responses.keys()]) {
    response.destroy();
    response.emit('close');
  }
}
