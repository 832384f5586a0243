import { type Answer, decode, encode, RECURSION_DESIRED } from 'dns-packet';

export type QuestionType = 'MX' | 'A' | 'AAAA' | 'NS' | 'SOA';

export interface DnsQuestion {
  /** Lower case, A-labels, no dot at the end. */
  readonly name: string;
  readonly type: QuestionType;
}

export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;

export interface DnsReply {
  /** The header’s four bits, with EDNS’s eight bits above them (RFC 6891 section 6.1.3). */
  readonly rcode: number;
  readonly truncated: boolean;
  readonly answers: readonly Answer[];
  readonly authorities: readonly Answer[];
  readonly additionals: readonly Answer[];
}

/** Fits into one packet on every path: the value of DNS Flag Day 2020, recommended by RFC 9715. */
const UDP_PAYLOAD_BYTES = 1_232;

export function encodeQuery(id: number, question: DnsQuestion, edns: boolean): Buffer {
  return encode({
    type: 'query',
    id,
    flags: RECURSION_DESIRED,
    questions: [{ name: question.name, type: question.type, class: 'IN' }],
    additionals: edns ? [edns0] : [],
  });
}

const edns0 = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: UDP_PAYLOAD_BYTES,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
} satisfies Answer;

/**
 * `undefined` unless the message is the answer to exactly this question: an off-path attacker has to guess the
 * id, the port and the question (RFC 5452 section 9.1).
 */
export function decodeReply(message: Buffer, id: number, question: DnsQuestion): DnsReply | undefined {
  // Checked first, so that a flood of other messages costs almost nothing.
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== id) return undefined;
  let packet: ReturnType<typeof decode>;
  try {
    packet = decode(withBoundedCounts(message));
  } catch {
    return undefined;
  }
  if (packet.id !== id || !packet.flag_qr) return undefined;
  const headerRcode = (packet.flags ?? 0) & 15;
  if (!echoes(packet.questions ?? [], question, headerRcode)) return undefined;
  const additionals = packet.additionals ?? [];
  const opt = additionals.find((record) => record.type === 'OPT');
  const rcode = headerRcode + (opt?.type === 'OPT' ? opt.extendedRcode * 16 : 0);
  return {
    rcode,
    truncated: packet.flag_tc,
    answers: packet.answers ?? [],
    authorities: packet.authorities ?? [],
    additionals,
  };
}

const HEADER_BYTES = 12;
/** More records are never used, and decoding 64 KB of compressed names would block every other request. */
const MAX_RECORDS_PER_SECTION = 200;

/** The message with reduced counts in its header, so that further records are not decoded. */
function withBoundedCounts(message: Buffer): Buffer {
  // Answers, authorities, additionals (RFC 1035 section 4.1.1).
  const counts = [6, 8, 10].map((at) => message.readUInt16BE(at));
  const first = counts.findIndex((count) => count > MAX_RECORDS_PER_SECTION);
  if (first < 0) return message;
  const cut = Buffer.from(message);
  cut.writeUInt16BE(MAX_RECORDS_PER_SECTION, 6 + first * 2);
  // Records after the cut can no longer be located.
  for (let at = 6 + first * 2 + 2; at < HEADER_BYTES; at += 2) cut.writeUInt16BE(0, at);
  return cut;
}

function echoes(
  echoed: ReturnType<typeof decode>['questions'],
  question: DnsQuestion,
  rcode: number,
): boolean {
  const [only, ...more] = echoed ?? [];
  // A server that does not support EDNS may send back a bare header (RFC 6891 section 7).
  if (only === undefined) return rcode === RCODE.FORMERR || rcode === RCODE.NOTIMP;
  return (
    more.length === 0 &&
    only.type === question.type &&
    (only.class ?? 'IN') === 'IN' &&
    only.name.toLowerCase() === question.name
  );
}
