import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';
import type { DnsServerAddress } from '../../model/dns-server-address.ts';
import { type DnsQuestion, type DnsReply, decodeReply, encodeQuery } from './dns-message.ts';

export interface Query {
  readonly question: DnsQuestion;
  readonly id: number;
  readonly edns: boolean;
}

/**
 * Sends one datagram and waits for one back. The socket is new each time, so that the system picks an unpredictable
 * source port. It is connected, so that the system drops datagrams from other addresses and reports a closed port
 * immediately. Datagrams that are not the answer are ignored until the signal aborts.
 */
export function askOverUdp(server: DnsServerAddress, query: Query, signal: AbortSignal): Promise<DnsReply> {
  // A signal that has aborted already fires no event, and the socket would keep the process alive.
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIP(server.host) === 6 ? 'udp6' : 'udp4');
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort);
      // Only our own listeners: Node has some that finish a close during the connect. An error may still come then.
      socket.off('error', onError).removeAllListeners('message').removeAllListeners('connect');
      socket.on('error', () => {});
      socket.close();
      settle();
    };
    const onAbort = () => end(() => reject(signal.reason));
    signal.addEventListener('abort', onAbort);
    const onError = (error: Error) => end(() => reject(error));
    socket.on('error', onError);
    socket.on('message', (message) => {
      const reply = decodeReply(message, query.id, query.question);
      if (reply !== undefined) end(() => resolve(reply));
    });
    socket.on('connect', () => socket.send(encodeQuery(query.id, query.question, query.edns)));
    socket.connect(server.port, server.host);
  });
}

/** RFC 7766: two octets of length before each message. */
export function askOverTcp(server: DnsServerAddress, query: Query, signal: AbortSignal): Promise<DnsReply> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: server.host, port: server.port, noDelay: true });
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort);
      socket.removeAllListeners().on('error', () => {});
      socket.destroy();
      settle();
    };
    const fail = (error: unknown) => end(() => reject(error));
    const onAbort = () => fail(signal.reason);
    signal.addEventListener('abort', onAbort);
    const chunks: Buffer[] = [];
    let received = 0;
    let expected: number | undefined;
    socket.on('connect', () => {
      const message = encodeQuery(query.id, query.question, query.edns);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(message.length);
      socket.write(Buffer.concat([length, message]));
    });
    socket.on('data', (chunk) => {
      // The chunks are joined only when the message is complete. Otherwise a server that sends byte by byte would make
      // us copy everything each time.
      chunks.push(chunk);
      received += chunk.length;
      if (received < 2) return;
      expected ??= 2 + Buffer.concat(chunks).readUInt16BE(0);
      if (received < expected) return;
      const reply = decodeReply(Buffer.concat(chunks).subarray(2, expected), query.id, query.question);
      if (reply === undefined) fail(new Error('the DNS server answered a different question'));
      else end(() => resolve(reply));
    });
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the DNS server closed the connection')));
  });
}
