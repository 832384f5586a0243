import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6, type Socket as TcpSocket } from 'node:net';
import { type Answer, decode, encode, type Packet, type RecordType } from 'dns-packet';

type Rcode = 'NOERROR' | 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED';
/** A forged answer. Each says NXDOMAIN, so that a client that accepts it is noticed. */
type Forgery = 'wrong-id' | 'wrong-question' | 'wrong-source' | 'not-a-response' | 'garbage';

interface ZoneRecords {
  readonly MX?: readonly (readonly [priority: number, exchange: string])[];
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly NS?: readonly string[];
  /** The administrator’s mailbox in the SOA record. */
  readonly SOA?: string;
  readonly CNAME?: string;
  /** Seconds; 300 when absent. */
  readonly ttl?: number;
  /** The SOA minimum that answers without records carry, in seconds; 60 when absent. */
  readonly negativeTtl?: number;
  /** Leave the SOA record out of negative answers. */
  readonly withoutSoa?: boolean;
  readonly rcode?: Rcode;
  /** Put the addresses of the mail hosts, as far as the zone has them, into the additional section. */
  readonly additional?: boolean;
  /** Over UDP only the header and the TC bit; the whole answer over TCP. */
  readonly truncated?: boolean;
  /** Answer nothing, on these transports or on both. */
  readonly silent?: boolean | 'udp' | 'tcp';
  readonly delayMs?: number;
  /** Answers only when this has resolved. */
  readonly after?: Promise<unknown>;
  /** Sent before the real answer. */
  readonly forged?: readonly Forgery[];
  /** Raw bytes that are sent instead of the answer. */
  readonly bytes?: (asked: Asked) => Buffer;
  /** Over TCP: sends the answer byte by byte, this many milliseconds apart. */
  readonly dripMs?: number;
}

/** Short form for a name that only fails in this way. */
export type ZoneEntry = ZoneRecords | Rcode | 'silent';
type Transport = 'udp' | 'tcp';
type ZoneFunction = (name: string, type: RecordType, transport: Transport) => ZoneEntry | undefined;
/** By lower-case name. Other names do not exist. `*` is for all names that are not listed. */
export type Zone = Readonly<Record<string, ZoneEntry>> | ZoneFunction;

export interface Asked {
  /** Lower case. */
  readonly name: string;
  /** As it was received. */
  readonly rawName: string;
  readonly type: RecordType;
  readonly transport: Transport;
  readonly id: number;
  readonly sourcePort: number;
  readonly udpPayloadSize: number | undefined;
}

export interface DnsServer {
  /** `127.0.0.1:port` or `[::1]:port`, as POSTERN_DNS_SERVERS takes it. */
  readonly address: string;
  /** All questions so far, in order. */
  readonly questions: readonly Asked[];
  /** How often a name was asked for, of one type or of all. */
  readonly timesAsked: (name: string, type?: RecordType) => number;
  /** Resolves once the name has been asked for; at once when it already was. */
  readonly whenAsked: (name: string, type?: RecordType) => Promise<void>;
  readonly setZone: (zone: Zone) => void;
  readonly close: () => Promise<void>;
}

const RCODES: Readonly<Record<Rcode, number>> = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
};
const RECURSION = 0x0180;
const TRUNCATED = 0x0200;

/** A zone in which each domain has one mail host with an address on the public internet. */
export function ordinaryMail(...domains: readonly string[]): Record<string, ZoneEntry> {
  const zone: Record<string, ZoneEntry> = {};
  for (const domain of domains) {
    zone[domain] = { MX: [[10, `mx.${domain}`]], A: ['93.184.216.34'] };
    zone[`mx.${domain}`] = { A: ['93.184.216.35'] };
  }
  return zone;
}

function findEntry(zone: Zone, name: string, type: RecordType, transport: Transport): ZoneRecords {
  const entry =
    typeof zone === 'function'
      ? zone(name, type, transport)
      : Object.hasOwn(zone, name)
        ? zone[name]
        : zone['*'];
  if (entry === undefined) return { rcode: 'NXDOMAIN' };
  if (entry === 'silent') return { silent: true };
  return typeof entry === 'string' ? { rcode: entry } : entry;
}

function recordsOf(entry: ZoneRecords, name: string, type: RecordType): Answer[] {
  const ttl = entry.ttl ?? 300;
  switch (type) {
    case 'MX':
      return (entry.MX ?? []).map(([preference, exchange]) => ({
        name,
        type,
        ttl,
        data: { preference, exchange },
      }));
    case 'A':
    case 'AAAA':
    case 'NS':
      return (entry[type] ?? []).map((data) => ({ name, type, ttl, data }));
    case 'SOA':
      return entry.SOA === undefined ? [] : [{ name, type, ttl, data: soaData(entry.SOA, 60) }];
    default:
      return [];
  }
}

function soaData(rname: string, minimum: number) {
  return { mname: 'ns.test', rname, serial: 1, refresh: 1, retry: 1, expire: 1, minimum };
}

function buildAnswer(zone: Zone, asked: Asked): { entry: ZoneRecords; packet: Packet } {
  const first = findEntry(zone, asked.name, asked.type, asked.transport);
  const answers: Answer[] = [];
  let owner = asked.rawName;
  let last = first;
  for (let hops = 0; last.CNAME !== undefined && hops < 16; hops++) {
    answers.push({ name: owner, type: 'CNAME', ttl: last.ttl ?? 300, data: last.CNAME });
    owner = last.CNAME;
    last = findEntry(zone, owner.toLowerCase(), asked.type, asked.transport);
  }
  const found = recordsOf(last, owner, asked.type);
  answers.push(...found);
  const authorities: Answer[] = [];
  const rcode = last.rcode ?? 'NOERROR';
  if (found.length === 0 && (rcode === 'NOERROR' || rcode === 'NXDOMAIN') && last.withoutSoa !== true) {
    const data = soaData('hostmaster.test', last.negativeTtl ?? 60);
    authorities.push({ name: owner, type: 'SOA', ttl: 3600, data });
  }
  const additionals: Answer[] = [];
  if (last.additional === true) {
    for (const [, exchange] of last.MX ?? []) {
      const host = findEntry(zone, exchange.toLowerCase(), 'A', asked.transport);
      additionals.push(...recordsOf(host, exchange, 'A'), ...recordsOf(host, exchange, 'AAAA'));
    }
  }
  const flags = RECURSION | RCODES[rcode];
  const questions = [{ name: asked.rawName, type: asked.type }];
  return {
    entry: first,
    packet: { type: 'response', id: asked.id, flags, questions, answers, authorities, additionals },
  };
}

function readQuestion(message: Buffer, transport: Transport, sourcePort: number): Asked | undefined {
  const packet = decode(message);
  const question = packet.questions?.[0];
  if (question === undefined || packet.id === undefined) return undefined;
  const edns = packet.additionals?.find((record) => record.type === 'OPT');
  const udpPayloadSize = edns?.type === 'OPT' ? edns.udpPayloadSize : undefined;
  const { name: rawName, type } = question;
  return { name: rawName.toLowerCase(), rawName, type, transport, id: packet.id, sourcePort, udpPayloadSize };
}

function forge(forgery: Forgery, asked: Asked): Buffer {
  if (forgery === 'garbage')
    return Buffer.from([asked.id >> 8, asked.id & 255, 0x81, 0x80, 0, 1, 0, 9, 0, 0, 0, 0, 63]);
  return encode({
    type: forgery === 'not-a-response' ? 'query' : 'response',
    id: forgery === 'wrong-id' ? asked.id ^ 1 : asked.id,
    flags: RECURSION | RCODES.NXDOMAIN,
    questions: [{ name: forgery === 'wrong-question' ? 'forged.test' : asked.rawName, type: asked.type }],
  });
}

/** UDP and TCP on one port of the system’s choice. */
async function bindBoth(
  host: string,
): Promise<{ udp: UdpSocket; tcp: ReturnType<typeof createServer>; port: number }> {
  for (let attempt = 0; ; attempt++) {
    const udp = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
    udp.bind(0, host);
    await once(udp, 'listening');
    const { port } = udp.address();
    const tcp = createServer();
    try {
      tcp.listen(port, host);
      await once(tcp, 'listening');
      return { udp, tcp, port };
    } catch (error) {
      udp.close();
      if (attempt === 20) throw error;
    }
  }
}

/** Cuts a TCP stream into messages by their length prefixes (RFC 1035 section 4.2.2). */
function serveStream(
  socket: TcpSocket,
  serve: (
    message: Buffer,
    send: (bytes: Buffer, forgery?: Forgery, announcedLength?: number) => void,
  ) => void,
): void {
  const send = (bytes: Buffer, _forgery?: Forgery, announcedLength = bytes.length) => {
    if (announcedLength > 0) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(announcedLength);
      // Two writes, so that a client that expects a message in one piece fails.
      socket.write(length);
    }
    socket.write(bytes);
  };
  let pending = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      const message = pending.subarray(2, end);
      pending = pending.subarray(end);
      serve(message, send);
    }
  });
}

/** A DNS server on loopback that answers from a zone written down in the test. */
export async function startDnsServer(initialZone: Zone = {}, host = '127.0.0.1'): Promise<DnsServer> {
  let zone = initialZone;
  const questions: Asked[] = [];
  const waiting = new Set<{ name: string; type: RecordType | undefined; done: () => void }>();
  const timers = new Set<NodeJS.Timeout>();
  const connections = new Set<TcpSocket>();
  const { udp, tcp, port } = await bindBoth(host);
  const stranger = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  let closed = false;

  const matches = (asked: Asked, name: string, type: RecordType | undefined) =>
    asked.name === name && (type === undefined || asked.type === type);

  /** The length prefix is complete, but the bytes are sent one at a time. */
  const drip = (
    bytes: Buffer,
    everyMs: number,
    send: (bytes: Buffer, forgery?: Forgery, length?: number) => void,
  ) => {
    send(bytes.subarray(0, 1), undefined, bytes.length);
    let at = 1;
    const timer = setInterval(() => {
      if (closed || at >= bytes.length) return clearInterval(timer);
      send(bytes.subarray(at, at + 1), undefined, 0);
      at += 1;
    }, everyMs);
    timers.add(timer);
  };

  const respond = (
    message: Buffer,
    transport: Transport,
    peer: number,
    send: (bytes: Buffer, forgery?: Forgery, length?: number) => void,
  ) => {
    const asked = readQuestion(message, transport, peer);
    if (asked === undefined) return;
    questions.push(asked);
    for (const waiter of waiting) if (matches(asked, waiter.name, waiter.type)) waiter.done();
    const { entry, packet } = buildAnswer(zone, asked);
    const answer = () => {
      if (closed) return;
      for (const forgery of entry.forged ?? []) send(forge(forgery, asked), forgery);
      if (entry.silent === true || entry.silent === transport) return;
      const cut = entry.truncated === true && transport === 'udp';
      const flags = (packet.flags ?? 0) | TRUNCATED;
      if (entry.bytes !== undefined && !cut) return send(entry.bytes(asked));
      if (entry.dripMs !== undefined && transport === 'tcp') return drip(encode(packet), entry.dripMs, send);
      send(encode(cut ? { ...packet, flags, answers: [], authorities: [], additionals: [] } : packet));
    };
    if (entry.after !== undefined) entry.after.then(answer, answer);
    else if (entry.delayMs !== undefined) timers.add(setTimeout(answer, entry.delayMs));
    else answer();
  };

  udp.on('message', (message: Buffer, from: RemoteInfo) => {
    respond(message, 'udp', from.port, (bytes, forgery) => {
      (forgery === 'wrong-source' ? stranger : udp).send(bytes, from.port, from.address);
    });
  });
  tcp.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    serveStream(socket, (message, send) => respond(message, 'tcp', socket.remotePort ?? 0, send));
  });

  return {
    address: isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`,
    questions,
    timesAsked: (name, type) => questions.filter((asked) => matches(asked, name, type)).length,
    whenAsked: (name, type) =>
      new Promise((resolve) => {
        if (questions.some((asked) => matches(asked, name, type))) return resolve();
        const waiter = {
          name,
          type,
          done: () => {
            waiting.delete(waiter);
            resolve();
          },
        };
        waiting.add(waiter);
      }),
    setZone: (next) => {
      zone = next;
    },
    close: async () => {
      if (closed) return;
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      for (const socket of connections) socket.destroy();
      stranger.close();
      udp.close();
      tcp.close();
      await once(tcp, 'close');
    },
  };
}
