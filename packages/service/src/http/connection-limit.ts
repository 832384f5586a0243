import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimit {
  /** How many connections are open. */
  readonly open: () => number;
}

/**
 * Closes connections beyond the limit as soon as they arrive. Node’s own `maxConnections` is not used: in a worker of
 * Node 20 it sends such a connection back to the primary process, which offers it to the workers again without end.
 */
export function limitConnections(server: Server, maxOpen: number, onRefused: () => void): ConnectionLimit {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
  let open = 0;
  server.removeAllListeners('connection');
  server.on('connection', (socket: Socket) => {
    if (open >= maxOpen) {
      socket.destroy();
      onRefused();
      return;
    }
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    for (const listener of listeners) listener.call(server, socket);
  });
  return { open: () => open };
}
