import { type Cidr, cidrText, parseCidr } from './cidr.ts';
import { domainToAscii } from './idna.ts';
import { namesOfAddress } from './inbox-names.ts';
import { maskIp, parseIpAddress } from './ip-address.ts';
import { parseEmailAddress } from './parse-email-address.ts';

/** What an entry of a list is about. */
const LIST_KINDS = ['person', 'address', 'device', 'ip', 'range', 'domain', 'mx', 'asn', 'country'] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** The entry of the project’s own lists that decides a request. */
export interface Listing {
  readonly action: 'allow' | 'flag' | 'block';
  readonly kind: ListKind;
}

/** The value of a list’s entry. `text` is its one written form, which the store keeps. */
export type ListValue = { readonly text: string } & (
  | { readonly kind: 'person' | 'device'; readonly hash: string }
  /** `names`: every form under which the address’s inbox may be known. */
  | { readonly kind: 'address'; readonly names: readonly string[] }
  | { readonly kind: 'ip' | 'range'; readonly cidr: Cidr }
  | { readonly kind: 'domain'; readonly domain: string }
  /** A mail host, or the address of one that belongs to no known product. */
  | { readonly kind: 'mx'; readonly host: string }
  | { readonly kind: 'asn'; readonly asn: number }
  | { readonly kind: 'country'; readonly country: string }
);

/** For the message about a refused entry. */
export const LIST_VALUE_FORMS =
  'an address, a domain, an IP address, a CIDR range, AS<number>, country:<XX>, mx:<mail host>, device:<hash> or person:<hash>';
export const LIST_VALUE_EXAMPLES =
  'jane@example.com, example.com, 203.0.113.7, 2001:db8::/32, AS64500, country:DE';

/** The keyed hashes of the log: 132 bits in base64url. */
const HASHED = /^(person|device):([\w-]{22})$/;
const AS_NUMBER = /^as(0|[1-9]\d{0,9})$/i;
const MAIL_HOST = /^mx:(.+)$/i;
const COUNTRY = /^country:([a-z]{2})$/i;
const DOMAIN = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;
const MAX_AS_NUMBER = 2 ** 32 - 1;
/** No entry is longer than an address. This bounds the work below. */
const MAX_LENGTH = 254;

/** `undefined` if the text is not a valid entry. */
export function parseListValue(written: string): ListValue | undefined {
  const text = written.trim();
  if (text.length > MAX_LENGTH) return undefined;
  const [, kind, hash] = HASHED.exec(text) ?? [];
  if (hash !== undefined) return { kind: kind === 'person' ? 'person' : 'device', hash, text };
  const asn = AS_NUMBER.exec(text)?.[1];
  if (asn !== undefined) return asNumber(Number(asn));
  const country = COUNTRY.exec(text)?.[1]?.toUpperCase();
  if (country !== undefined) return { kind: 'country', country, text: `country:${country}` };
  const host = MAIL_HOST.exec(text)?.[1];
  if (host !== undefined) return mailHost(host);
  const cidr = parseCidr(text);
  if (cidr !== undefined) return ipRange(cidr);
  // `@example.com` and `*.example.com` mean the whole domain, as many people write it.
  return /^[^@]+@|^"/.test(text) ? address(text) : domainValue(text.replace(/^@|^\*?\./, ''));
}

function mailHost(text: string): ListValue | undefined {
  const address = parseIpAddress(text.trim());
  const host = address?.text ?? readDomain(text);
  return host === undefined ? undefined : { kind: 'mx', host, text: `mx:${host}` };
}

function asNumber(asn: number): ListValue | undefined {
  return asn > MAX_AS_NUMBER ? undefined : { kind: 'asn', asn, text: `AS${asn}` };
}

function ipRange(cidr: Cidr): ListValue {
  const { base, prefixLength } = cidr;
  return prefixLength === (base.version === 4 ? 32 : 128)
    ? { kind: 'ip', cidr, text: base.text }
    : { kind: 'range', cidr, text: cidrText(cidr) };
}

function address(text: string): ListValue | undefined {
  const parsed = parseEmailAddress(text);
  return parsed && { kind: 'address', names: namesOfAddress(parsed), text: parsed.normalized };
}

function domainValue(text: string): ListValue | undefined {
  const domain = readDomain(text);
  return domain === undefined ? undefined : { kind: 'domain', domain, text: domain };
}

/** A domain name in A-labels, or `undefined` if the text is none. */
export function readDomain(text: string): string | undefined {
  const ascii = domainToAscii(text.trim().toLowerCase().normalize('NFC').replace(/\.$/, '')) ?? '';
  // A last label of digits is a mistyped IP address: no top-level domain is a number.
  return DOMAIN.test(ascii) && !/\.[0-9]+$/.test(ascii) ? ascii : undefined;
}

/** A list’s value without the person in it: an address loses its name, an IP address its last part, a hash all of it. */
export function maskListValue(text: string): string {
  const value = parseListValue(text);
  if (value?.kind === 'address') return `***${text.slice(text.lastIndexOf('@'))}`;
  if (value?.kind === 'person' || value?.kind === 'device') return `${value.kind}:***`;
  return value?.kind === 'ip' ? maskIp(value.cidr.base) : text;
}
