import type { Duplex } from 'node:stream';

export interface EndSocketOptions {
  readonly encoding?: BufferEncoding;
  /** How long sending the last bytes can take. */
  readonly flushMs?: number;
  /** How long the peer can then take to read them and close. */
  readonly lingerMs?: number;
}

const FLUSH_MS = 10_000;
const LINGER_MS = 1_000;

const ending = new WeakSet<Duplex>();

/**
 * Sends the last bytes of a connection and destroys it within a fixed time, whatever the peer does. Every socket that
 * is answered without Node’s response object must be closed here: such a socket has no error listener, and an unhandled
 * error event would end the process.
 */
export function endSocket(socket: Duplex, bytes: string, options: EndSocketOptions = {}): void {
  const { encoding = 'utf8', flushMs = FLUSH_MS, lingerMs = LINGER_MS } = options;
  if (ending.has(socket)) return;
  ending.add(socket);
  const destroy = () => {
    socket.destroy();
  };
  socket.on('error', destroy);
  if (socket.destroyed || !socket.writable) {
    destroy();
    return;
  }
  let timer = setTimeout(destroy, flushMs);
  socket.once('finish', () => {
    clearTimeout(timer);
    timer = setTimeout(destroy, lingerMs);
  });
  socket.once('close', () => clearTimeout(timer));
  // Further input is read and dropped. Closing a socket with unread bytes resets it, and the peer loses the answer.
  socket.removeAllListeners('data');
  socket.on('data', () => {});
  socket.resume();
  socket.end(bytes, encoding);
}
