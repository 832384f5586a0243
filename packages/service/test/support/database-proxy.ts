import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

/** A proxy to a database server that can be slowed down, cut, closed, and pointed at another server. */
export interface DatabaseProxy {
  /** The given URL, through this proxy. */
  through(url: string): string;
  /** Delays every answer from now on. Requests still reach the server immediately. */
  delayAnswers(delayMs: number): void;
  /** Sends new connections there from now on. */
  turnTo(url: string): void;
  /** Breaks every connection, like a server that crashes. */
  cut(): void;
  /** Refuses new connections until it is opened again, on the same port. */
  shut(): Promise<void>;
  open(): Promise<void>;
  close(): Promise<void>;
}

export async function databaseProxy(url: string): Promise<DatabaseProxy> {
  const sockets = new Set<Socket>();
  let target = new URL(url);
  let delayMs = 0;
  // The port must still be free when the proxy opens again.
  const port = await freePort();
  let listener: Server | undefined;

  const serve = (client: Socket) => {
    const server = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(server, { end: false });
    // One timer per piece keeps their order, because timers with equal delays fire in the order in which they were set.
    server.on('data', (piece: Buffer) => {
      if (delayMs === 0) client.write(piece);
      else setTimeout(() => client.destroyed || client.write(piece), delayMs);
    });
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const open = async () => {
    const server = createServer(serve);
    listener = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
  };
  const shut = async () => {
    const closed = new Promise<unknown>((resolve) => listener?.close(resolve));
    cut();
    await closed;
  };
  await open();

  return {
    through: (direct) => {
      const way = new URL(direct);
      way.hostname = '127.0.0.1';
      way.port = String(port);
      return way.href;
    },
    delayAnswers: (milliseconds) => {
      delayMs = milliseconds;
    },
    turnTo: (direct) => {
      target = new URL(direct);
    },
    cut,
    shut,
    open,
    close: shut,
  };
}
