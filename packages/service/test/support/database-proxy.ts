import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A way to a database server that can be made slow, cut, closed, and turned to another server. */
export interface DatabaseProxy {
  /** The given URL, by way of this proxy. */
  through(url: string): string;
  /** From now on every answer comes so much later; what the server is asked still reaches it at once. */
  delayAnswers(delayMs: number): void;
  /** From now on new connections lead there. */
  turnTo(url: string): void;
  /** Breaks every connection, as a server that dies does. */
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
  let port = 0;
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
    // One timer a piece keeps their order, for equal delays end in the order in which they began.
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
    port = (server.address() as AddressInfo).port;
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
