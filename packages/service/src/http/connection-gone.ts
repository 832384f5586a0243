import type { Socket } from 'node:net';
import type { OnGone } from '../lookup/dns/mail-lookup.ts';

/** One pair of listeners for each connection, because many pipelined requests can wait on one. */
const listenersOf = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls the listener once the client has closed its side of the connection. It may still read: closing and half-closing
 * look the same, so a request must still be answered. Only work for it that has not begun can be dropped.
 */
export function connectionGone(socket: Socket): OnGone {
  return (listener) => {
    if (socket.destroyed || socket.readableEnded) {
      listener();
      return () => {};
    }
    const listeners = listenersOf.get(socket) ?? watch(socket);
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
}

function watch(socket: Socket): Set<() => void> {
  const listeners = new Set<() => void>();
  const onEnd = () => {
    for (const listener of listeners) listener();
    listeners.clear();
  };
  socket.once('end', onEnd);
  socket.once('close', onEnd);
  listenersOf.set(socket, listeners);
  return listeners;
}
