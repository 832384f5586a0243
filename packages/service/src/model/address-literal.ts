import type { DomainName } from './domain-name.ts';

const DIGITS_MAX = 3;

/**
 * An IPv4 or IPv6 address in brackets (RFC 5321, 4.1.3), in lower case. The general form `[tag:content]` is
 * refused: no tag but IPv6 was ever registered.
 */
export function readAddressLiteral(text: string): DomainName | undefined {
  if (!text.endsWith(']')) return undefined;
  const literal = text.toLowerCase();
  const content = literal.slice(1, -1);
  const valid = content.startsWith('ipv6:') ? isIpv6(content.slice(5)) : isIpv4(content);
  return valid ? { ascii: literal, unicode: literal } : undefined;
}

function isIpv4(text: string): boolean {
  const numbers = text.split('.');
  return numbers.length === 4 && numbers.every(isOctet);
}

/** One to three digits up to 255; the grammar’s Snum allows leading zeros. */
function isOctet(text: string): boolean {
  if (text.length < 1 || text.length > DIGITS_MAX) return false;
  let value = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return false;
    value = value * 10 + digit;
  }
  return value <= 255;
}

function isIpv6(text: string): boolean {
  const gap = text.indexOf('::');
  if (gap === -1) return countGroups(text, true) === 8;
  const before = gap === 0 ? 0 : countGroups(text.slice(0, gap), false);
  const after = gap + 2 === text.length ? 0 : countGroups(text.slice(gap + 2), true);
  // In RFC 5321 `::` stands for at least two groups, unlike in RFC 4291.
  return before >= 0 && after >= 0 && before + after <= 6;
}

/** How many 16-bit groups `text` spells, or -1 if it is malformed. */
function countGroups(text: string, mayEndInIpv4: boolean): number {
  const groups = text.split(':');
  const last = groups.at(-1) ?? '';
  if (mayEndInIpv4 && last.includes('.')) {
    if (!isIpv4(last)) return -1;
    groups.pop();
    return groups.every(isHexGroup) ? groups.length + 2 : -1;
  }
  return groups.every(isHexGroup) ? groups.length : -1;
}

function isHexGroup(text: string): boolean {
  if (text.length < 1 || text.length > 4) return false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const hex = (unit >= 0x30 && unit <= 0x39) || (unit >= 0x61 && unit <= 0x66);
    if (!hex) return false;
  }
  return true;
}
