/** An IP address as numbers. IPv4-mapped IPv6 is IPv4. */
export type IpAddress =
  | { readonly version: 4; readonly text: string; readonly value: number }
  | { readonly version: 6; readonly text: string; readonly words: readonly [number, number, number, number] };

export type Ipv4Address = Extract<IpAddress, { version: 4 }>;
export type Ipv6Address = Extract<IpAddress, { version: 6 }>;
/** An IPv6 address as four unsigned 32-bit numbers, most significant first. */
export type Ipv6Words = Ipv6Address['words'];

const DOT = 0x2e;
const COLON = 0x3a;
const ZERO = 0x30;
/** The longest form is `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`. */
const MAX_LENGTH = 45;

/**
 * Reads an address in the forms of RFC 4291 section 2.2 and dotted quads. Strict: no zone, port, bracket or white
 * space, and no octet with a leading zero, which some parsers read as octal (RFC 6943 section 3.1.1). The `text` of the
 * result is the one canonical spelling (RFC 5952).
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.length < 2 || text.length > MAX_LENGTH) return undefined;
  // The first colon of an IPv6 address is at most its fifth character; a dotted quad has none.
  for (let i = 0; i < 5 && i < text.length; i++) {
    if (text.charCodeAt(i) === COLON) return parseIpv6(text);
  }
  const value = readIpv4(text, 0);
  return value < 0 ? undefined : { version: 4, text, value };
}

export function ipv4Address(value: number): Ipv4Address {
  return { version: 4, text: ipv4Text(value), value };
}

/** The four numbers as an address. An IPv4-mapped one becomes IPv4. */
export function ipAddressOfWords(words: Ipv6Words): IpAddress {
  if (words[0] === 0 && words[1] === 0 && words[2] === 0xffff) return ipv4Address(words[3]);
  return { version: 6, text: ipv6Text(words), words: words };
}

/** The network of an address for counting distinct networks: the /24 of IPv4, the /48 of IPv6. */
export function networkOf(ip: IpAddress): string {
  if (ip.version === 4) return `${ipv4Text((ip.value & 0xffffff00) >>> 0)}/24`;
  return `${ipv6Text([ip.words[0], (ip.words[1] & 0xffff0000) >>> 0, 0, 0])}/48`;
}

/**
 * The networks that one visitor may have alone, the smallest first: an IPv4 address, or the /64, /56 and /48 of an IPv6
 * address. A line at home gets a /64 or a whole /56, a company or a rented server often a /48.
 */
export function visitorNetworksOf(ip: IpAddress): readonly string[] {
  if (ip.version === 4) return [ip.text];
  const [first, second] = ip.words;
  const network = (kept: number, length: number) =>
    `${ipv6Text([first, (second & kept) >>> 0, 0, 0])}/${length}`;
  return [network(0xffffffff, 64), network(0xffffff00, 56), network(0xffff0000, 48)];
}

/** What a log may show of an address: enough to recognise a network, not a person. */
export function maskIp(ip: IpAddress): string {
  return networkOf(ip);
}

/** The dotted quad that starts at `start` and ends the text, or -1. */
function readIpv4(text: string, start: number): number {
  const end = text.length;
  let value = 0;
  let octet = 0;
  let digits = 0;
  let dots = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (digits === 0 || dots === 3) return -1;
      value = value * 256 + octet;
      octet = 0;
      digits = 0;
      dots++;
      continue;
    }
    const digit = code - ZERO;
    if (digit < 0 || digit > 9 || (digits > 0 && octet === 0)) return -1;
    octet = octet * 10 + digit;
    if (octet > 255) return -1;
    digits++;
  }
  return dots === 3 && digits > 0 ? value * 256 + octet : -1;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** The groups of the address being read. Parsing is synchronous, so all calls can share one array. */
const groups = new Uint16Array(8);

function parseIpv6(text: string): IpAddress | undefined {
  const end = text.length;
  let count = 0;
  /** How many groups stand before `::`. */
  let gap = -1;
  let i = 0;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return undefined;
    gap = 0;
    i = 2;
  }
  while (i < end) {
    if (count === 8) return undefined;
    const start = i;
    let value = 0;
    for (let digit = 0; i < end; i++) {
      digit = hexDigit(text.charCodeAt(i));
      if (digit < 0) break;
      if (i - start === 4) return undefined;
      value = (value << 4) | digit;
    }
    if (i === start) return undefined;
    if (i < end && text.charCodeAt(i) === DOT) {
      const embedded = count > 6 ? -1 : readIpv4(text, start);
      if (embedded < 0) return undefined;
      groups[count++] = embedded >>> 16;
      groups[count++] = embedded & 0xffff;
      break;
    }
    groups[count++] = value;
    if (i === end) break;
    if (text.charCodeAt(i) !== COLON || ++i === end) return undefined;
    if (text.charCodeAt(i) === COLON) {
      if (gap >= 0) return undefined;
      gap = count;
      i++;
    }
  }
  if (gap < 0 ? count !== 8 : count > 7) return undefined;
  if (gap >= 0) {
    groups.copyWithin(8 - (count - gap), gap, count);
    groups.fill(0, gap, 8 - (count - gap));
  }
  return ipAddressOfWords([wordAt(0), wordAt(2), wordAt(4), wordAt(6)]);
}

function wordAt(group: number): number {
  return (((groups[group] ?? 0) << 16) | (groups[group + 1] ?? 0)) >>> 0;
}

function ipv4Text(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

const HEX = '0123456789abcdef';
/**
 * The hexadecimal digits of each byte with and without a leading zero, because `toString(16)` would be most of the cost
 * of parsing.
 */
const PADDED = Array.from({ length: 256 }, (_, byte) => HEX.charAt(byte >> 4) + HEX.charAt(byte & 15));
const UNPADDED = PADDED.map((digits) => (digits.startsWith('0') ? digits.slice(1) : digits));

function hexText(group: number): string {
  return group < 256 ? (UNPADDED[group] ?? '') : (UNPADDED[group >> 8] ?? '') + (PADDED[group & 255] ?? '');
}

function groupOf(words: Ipv6Words, index: number): number {
  const pair = words[index >> 1] ?? 0;
  return index & 1 ? pair & 0xffff : pair >>> 16;
}

/** RFC 5952 section 4: lower case, no leading zeros, the first longest run of two or more zero groups as `::`. */
function ipv6Text(words: Ipv6Words): string {
  let gapStart = 8;
  let gapLength = 1;
  for (let i = 0; i < 8; i++) {
    let run = 0;
    while (i + run < 8 && groupOf(words, i + run) === 0) run++;
    if (run > gapLength) {
      gapStart = i;
      gapLength = run;
    }
    i += run;
  }
  let text = '';
  for (let i = 0; i < 8; i++) {
    if (i === gapStart) {
      text += '::';
      i += gapLength - 1;
    } else {
      text +=
        i === 0 || i === gapStart + gapLength ? hexText(groupOf(words, i)) : `:${hexText(groupOf(words, i))}`;
    }
  }
  return text;
}

/** The same for an address that is text. `undefined` if it is none. */
export function maskedAddress(text: string): string | undefined {
  const ip = parseIpAddress(text.split('/', 1)[0] ?? '');
  return ip && maskIp(ip);
}
