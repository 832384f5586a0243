import { readFileSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';

const file = (name: string) => fileURLToPath(new URL(`./tls/${name}.pem`, import.meta.url));

/** Settings that make the service speak HTTPS with a certificate made for tests. */
export const TLS_ENV = { POSTERN_TLS_CERT: file('cert'), POSTERN_TLS_KEY: file('key') };
export const TLS_FILES = { cert: readFileSync(file('cert')), key: readFileSync(file('key')) };

export type Transport = 'plain' | 'TLS';

export interface Connection {
  /** Ready for HTTP: with TLS the handshake is done. It stays open if the peer ends its half. */
  readonly socket: Socket;
  /** Resets the TCP connection. */
  readonly reset: () => void;
}

export async function openConnection(port: number, transport: Transport): Promise<Connection> {
  const tcp = connectPlain({ port, host: '127.0.0.1', allowHalfOpen: true });
  tcp.on('error', () => {});
  await new Promise((resolve) => tcp.once('connect', resolve));
  const reset = () => {
    tcp.resetAndDestroy();
  };
  if (transport === 'plain') return { socket: tcp, reset };
  const socket = connectTls({ socket: tcp, ca: TLS_FILES.cert, servername: 'localhost' });
  socket.on('error', () => {});
  await new Promise((resolve, reject) => {
    socket.once('secureConnect', resolve);
    socket.once('close', () => reject(new Error('The handshake failed')));
  });
  return { socket, reset };
}
