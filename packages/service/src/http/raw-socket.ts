import type { Duplex } from 'node:stream';

/** How long sending the last bytes can take. */
const FLUSH_MS = 10_000;
/** How long the peer can then take to read them and close. */
const LINGER_MS = 1_000;

const ending = new WeakSet<Duplex>();

/**
 * Sends the last bytes of a connection and destroys it within a fixed time, whatever the peer does. Every socket that
 * is answered without Node’s response object must be closed here: such a socket has no error listener, and an unhandled
 * error event would end the process.
 */
export function endSocket(socket: Duplex, bytes: string, encoding: BufferEncoding = 'utf8'): void {
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
  let timer = setTimeout(destroy, FLUSH_MS);
  socket.once('finish', () => {
    clearTimeout(timer);
    timer = setTimeout(destroy, LINGER_MS);
  });
  socket.once('close', () => clearTimeout(timer));
  // Further input is read and dropped. Closing a socket with unread bytes resets it, and the peer loses the answer.
  socket.removeAllListeners('data');
  socket.on('data', () => {});
  socket.resume();
  socket.end(bytes, encoding);
}
