import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** How many read requests may wait in the whole process. Each takes a few kilobytes. */
const MAX_WAITING = 4_096;
/** How many lines are parsed before we look whether requests wait: one ordinary request, or thirty of the shortest. */
const LINES_AT_ONCE = 64;
const LINE_END = 0x0a;

type Exchange = readonly [IncomingMessage, ServerResponse];

/** The requests of one connection that are not answered yet. */
export interface OpenExchanges {
  /** The one that is being served. */
  serving: Exchange | undefined;
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
 * Serves one request of a connection at a time, and the next one after other connections had their turn. Node hands over
 * every pipelined request as soon as it is read, thousands from one packet, and each would hold its memory and files
 * until the peer has read all answers before it. The rest waits here, and the connection is not read meanwhile. If too
 * many wait in the whole process, the connection that brings one more is closed. `event` is the one with which the
 * server begins to read a connection.
 */
export function limitExchanges(server: Server, event: 'connection' | 'secureConnection'): void {
  const serve = server.listeners('request') as ((...exchange: Exchange) => void)[];
  let waitingInAll = 0;

  const open = (socket: Duplex): OpenExchanges => {
    const exchanges: OpenExchanges = { serving: undefined, waiting: [] };
    exchangesOf.set(socket, exchanges);
    socket.once('close', () => {
      waitingInAll -= exchanges.waiting.length;
      exchanges.waiting.length = 0;
    });
    return exchanges;
  };
  const begin = (exchanges: OpenExchanges, exchange: Exchange): void => {
    const [request, response] = exchange;
    exchanges.serving = exchange;
    response.once('close', () => {
      exchanges.serving = undefined;
      if (request.socket.destroyed) return;
      if (exchanges.waiting.length > 0) setImmediate(beginNext, exchanges);
      else exchanges.afterwards?.();
    });
    for (const listener of serve) listener.call(server, request, response);
  };
  const beginNext = (exchanges: OpenExchanges): void => {
    const next = exchanges.waiting.shift();
    // The connection was closed in the meantime.
    if (next === undefined) return;
    waitingInAll -= 1;
    if (exchanges.waiting.length === 0) next[0].socket.resume();
    begin(exchanges, next);
  };

  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    const { socket } = request;
    // The rest of a piece is still parsed after the connection was closed.
    if (socket.destroyed) return;
    const exchanges = exchangesOf.get(socket) ?? open(socket);
    const exchange: Exchange = [request, response];
    if (exchanges.serving === undefined && exchanges.waiting.length === 0) begin(exchanges, exchange);
    else if (waitingInAll >= MAX_WAITING) socket.destroy();
    else {
      waitingInAll += 1;
      exchanges.waiting.push(exchange);
      socket.pause();
    }
  });
  server.on(event, parseInPieces);
  server.on('connect', (_request, socket) => socket.removeAllListeners('data'));
}

/**
 * Node parses all that a read has brought, up to 64 KiB, before anything else happens in the process. As the shortest
 * requests these are thousands and take 50 ms. Here its parser gets a few lines at a time, and none while requests wait.
 */
function parseInPieces(socket: Socket & { readonly _paused?: boolean }): void {
  const parse = socket.listeners('data')[0] as ((bytes: Buffer) => void) | undefined;
  if (parse === undefined) return;
  socket.off('data', parse);
  socket.on('data', (bytes: Buffer) => {
    for (let rest = bytes; rest.length > 0; ) {
      // After a CONNECT this listener is gone: Node’s parser serves another connection by now.
      if (socket.destroyed || socket.listenerCount('data') === 0) return;
      // `_paused` is Node’s: the peer has to read first, and the parser must not get anything until then.
      if (socket.isPaused() || socket._paused || (openExchanges(socket)?.waiting.length ?? 0) > 0) {
        socket.pause();
        socket.unshift(rest);
        return;
      }
      const end = endOfLines(rest);
      parse.call(socket, rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  });
}

/** Where the first lines end. */
function endOfLines(bytes: Buffer): number {
  let end = 0;
  for (let line = 0; line < LINES_AT_ONCE; line += 1) {
    end = bytes.indexOf(LINE_END, end) + 1;
    if (end === 0) return bytes.length;
  }
  return end;
}
