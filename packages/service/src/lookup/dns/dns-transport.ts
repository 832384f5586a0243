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
 * One datagram there, one back. The socket is new each time, so the system picks an unpredictable source port, and
 * it is connected, so the system drops what comes from any other address and reports a closed port at once.
 * Whatever arrives that is not the answer is ignored, and the wait goes on until the signal.
 */
export function askOverUdp(server: DnsServerAddress, query: Query, signal: AbortSignal): Promise<DnsReply> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(isIP(server.host) === 6 ? 'udp6' : 'udp4');
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort);
      // Closing while the host’s name is still being looked up throws later, inside the socket; this listener hears it.
      socket.removeAllListeners().on('error', () => {});
      socket.close();
      settle();
    };
    const onAbort = () => end(() => reject(signal.reason));
    signal.addEventListener('abort', onAbort);
    socket.on('error', (error) => end(() => reject(error)));
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
      // Joined only once it is whole: a server that sends byte by byte must not make us copy all of it each time.
      chunks.push(chunk);
      received += chunk.length;
      if (received < 2) return;
      expected ??= 2 + Buffer.concat(chunks).readUInt16BE(0);
      if (received < expected) return;
      const reply = decodeReply(Buffer.concat(chunks).subarray(2, expected), query.id, query.question);
      if (reply === undefined) fail(new Error('the DNS server answered another question'));
      else end(() => resolve(reply));
    });
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the DNS server closed the connection')));
  });
}
