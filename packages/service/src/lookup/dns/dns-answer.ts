import type { Answer, SoaData } from 'dns-packet';
import { type DnsQuestion, type DnsReply, RCODE } from './dns-message.ts';

export interface DnsRecord {
  /**
   * An address, or a name in lower case without a dot at the end: of a host or, for SOA, of the administrator’s mailbox.
   * The root is the empty string.
   */
  readonly value: string;
  /** 0 for everything but MX. */
  readonly priority: number;
  /** Only for SOA: refresh, retry, expire and minimum, in seconds. */
  readonly timers?: string;
}

/** Addresses that came along with the answer, by host. */
export type Glue = ReadonlyMap<string, readonly string[]>;

/** `no-resources`: our own machine had no descriptor or memory for the question, which says nothing about the name. */
export type DnsFailure = 'timeout' | 'server-failure' | 'not-asked' | 'no-resources';

export type DnsAnswer =
  | {
      readonly result: 'records';
      readonly records: readonly DnsRecord[];
      readonly glue: Glue;
      readonly ttlSeconds: number;
    }
  | { readonly result: 'no-data' | 'no-name'; readonly ttlSeconds: number }
  | { readonly result: 'failed'; readonly reason: DnsFailure };

/** The alias chain ended at a name that this reply has no records for. */
export interface Redirection {
  readonly result: 'redirected';
  readonly target: string;
  readonly ttlSeconds: number;
}

/** RFC 2181 section 8: a TTL with the top bit set counts as 0. */
const MAX_TTL_SECONDS = 2 ** 31 - 1;
const MAX_ALIASES = 8;
/** How many records of one answer are kept. No domain needs more mail hosts, and no host more addresses. */
export const MAX_RECORDS = 20;

const SERVER_FAILURE: DnsAnswer = { result: 'failed', reason: 'server-failure' };

function plainName(name: string): string {
  const lower = name.toLowerCase();
  return lower.endsWith('.') ? lower.slice(0, -1) : lower;
}

/** The reply’s answer to the question. Follows aliases as far as the reply contains them. */
export function interpretReply(reply: DnsReply, question: DnsQuestion): DnsAnswer | Redirection {
  if (reply.rcode !== RCODE.NOERROR && reply.rcode !== RCODE.NXDOMAIN) return SERVER_FAILURE;
  let owner = question.name;
  let ttlSeconds = MAX_TTL_SECONDS;
  for (let aliases = 0; aliases <= MAX_ALIASES; aliases++) {
    const atOwner = reply.answers.filter((record) => plainName(record.name) === owner);
    const records = bestRecords(atOwner.flatMap((record) => readRecord(record, question)));
    if (records.length > 0) {
      for (const record of atOwner) ttlSeconds = Math.min(ttlSeconds, ttlOf(record));
      const hosts = new Set(records.map((record) => record.value));
      return { result: 'records', records, ...readGlue(reply.additionals, hosts, ttlSeconds) };
    }
    const alias = atOwner.find((record) => record.type === 'CNAME');
    if (alias?.type !== 'CNAME') return nothingAt(owner, reply, question, ttlSeconds);
    ttlSeconds = Math.min(ttlSeconds, ttlOf(alias));
    owner = plainName(alias.data);
  }
  return SERVER_FAILURE;
}

/** The records with the best preference first. Equal preferences keep the order of the reply. */
function bestRecords(records: readonly DnsRecord[]): readonly DnsRecord[] {
  return records.length <= MAX_RECORDS
    ? records
    : records.toSorted((one, other) => one.priority - other.priority).slice(0, MAX_RECORDS);
}

function nothingAt(
  owner: string,
  reply: DnsReply,
  question: DnsQuestion,
  aliasTtlSeconds: number,
): DnsAnswer | Redirection {
  const soa = reply.authorities.find((record) => record.type === 'SOA');
  // The response code applies to the last name of the chain (RFC 6604 section 3).
  const result = reply.rcode === RCODE.NXDOMAIN ? 'no-name' : 'no-data';
  if (soa?.type !== 'SOA') {
    if (result === 'no-data' && owner !== question.name) {
      return { result: 'redirected', target: owner, ttlSeconds: aliasTtlSeconds };
    }
    // Without an SOA a negative answer has no TTL (RFC 2308 section 5).
    return { result, ttlSeconds: 0 };
  }
  return { result, ttlSeconds: Math.min(aliasTtlSeconds, ttlOf(soa), soa.data.minimum ?? 0) };
}

function readRecord(record: Answer, question: DnsQuestion): DnsRecord[] {
  if (record.type !== question.type) return [];
  switch (record.type) {
    case 'MX':
      return [{ value: plainName(record.data.exchange), priority: record.data.preference ?? 0 }];
    case 'NS':
      return [{ value: plainName(record.data), priority: 0 }];
    case 'SOA':
      return [{ value: plainName(record.data.rname), priority: 0, timers: timersOf(record.data) }];
    case 'A':
    case 'AAAA':
      return [{ value: record.data, priority: 0 }];
    default:
      return [];
  }
}

function timersOf({ refresh, retry, expire, minimum }: SoaData): string {
  return [refresh, retry, expire, minimum].map((seconds) => seconds ?? 0).join(' ');
}

function readGlue(
  additionals: readonly Answer[],
  hosts: ReadonlySet<string>,
  answerTtlSeconds: number,
): { glue: Glue; ttlSeconds: number } {
  const glue = new Map<string, string[]>();
  let ttlSeconds = answerTtlSeconds;
  for (const record of additionals) {
    if (record.type !== 'A' && record.type !== 'AAAA') continue;
    const host = plainName(record.name);
    if (!hosts.has(host)) continue;
    const addresses = glue.get(host);
    if (addresses === undefined) glue.set(host, [record.data]);
    else if (addresses.length < MAX_RECORDS) addresses.push(record.data);
    ttlSeconds = Math.min(ttlSeconds, ttlOf(record));
  }
  return { glue, ttlSeconds };
}

function ttlOf(record: Answer): number {
  const ttl = 'ttl' in record ? (record.ttl ?? 0) : 0;
  return ttl > MAX_TTL_SECONDS ? 0 : ttl;
}
