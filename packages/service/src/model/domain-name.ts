import { domainToASCII, domainToUnicode } from 'node:url';
import { followsBidiRule } from './bidi-rule.ts';
import { hasUnsafeDomainCodePoint, withoutEmojiStyle } from './code-points.ts';

/** A domain in both of its spellings, lower case. For an address literal the two are the same. */
export interface DomainName {
  readonly ascii: string;
  readonly unicode: string;
}

/** RFC 1035, 2.3.4, less the root’s empty label and the length octet. */
const MAX_DOMAIN_OCTETS = 253;
const MAX_LABEL_OCTETS = 63;

const DOT = 0x2e;
const HYPHEN = 0x2d;

/** What the ASCII characters of a domain may be: 1 letter or digit, 2 hyphen, 3 dot. */
const CLASS = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
  CLASS[character.charCodeAt(0)] = 1;
}
CLASS[HYPHEN] = 2;
CLASS[DOT] = 3;

/** The domain in `text` (RFC 5321 `Domain`, internationalised by UTS #46), or `undefined`. One label is enough. */
export function readDomainName(text: string): DomainName | undefined {
  switch (shapeOf(text)) {
    case 'malformed':
      return undefined;
    case 'plain': {
      const ascii = text.toLowerCase();
      return { ascii, unicode: ascii };
    }
    case 'a-labels':
      return readALabels(text.toLowerCase());
    case 'international':
      return readInternational(withoutEmojiStyle(text));
  }
}

type Shape = 'plain' | 'a-labels' | 'international' | 'malformed';

/** Labels of 1 to 63 letters, digits and inner hyphens. What holds a letter beyond ASCII or an A-label needs IDNA. */
function shapeOf(text: string): Shape {
  if (text.length > MAX_DOMAIN_OCTETS) return 'malformed';
  let start = 0;
  let hasALabel = false;
  for (let index = 0; index <= text.length; index++) {
    const unit = index === text.length ? DOT : text.charCodeAt(index);
    if (unit >= 0x80) return hasOnlyDomainCharacters(text) ? 'international' : 'malformed';
    const kind = CLASS[unit];
    if (kind === 0) return 'malformed';
    if (kind !== 3) continue;
    const length = index - start;
    if (length < 1 || length > MAX_LABEL_OCTETS) return 'malformed';
    if (text.charCodeAt(start) === HYPHEN || text.charCodeAt(index - 1) === HYPHEN) return 'malformed';
    if (hasReservedHyphens(text, start, length)) {
      // RFC 5890, 2.3.1: hyphens in the third and fourth place are kept for A-labels.
      if (text.slice(start, start + 2).toLowerCase() !== 'xn') return 'malformed';
      hasALabel = true;
    }
    start = index + 1;
  }
  return hasALabel ? 'a-labels' : 'plain';
}

function hasReservedHyphens(text: string, start: number, length: number): boolean {
  return length >= 4 && text.charCodeAt(start + 2) === HYPHEN && text.charCodeAt(start + 3) === HYPHEN;
}

/**
 * Whether `text` is safe to hand to `domainToASCII`, which is a URL’s host parser: it would unescape percent signs,
 * drop tabs and stop at a slash.
 */
function hasOnlyDomainCharacters(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80 && CLASS[unit] === 0) return false;
  }
  return !hasUnsafeDomainCodePoint(withoutEmojiStyle(text));
}

/** An A-label that does not decode, or that stands for what another A-label spells, is a forgery. */
function readALabels(ascii: string): DomainName | undefined {
  const unicode = toUnicode(ascii);
  return toAscii(unicode) === ascii ? readLabels(ascii, unicode) : undefined;
}

function readInternational(text: string): DomainName | undefined {
  const ascii = toAscii(text);
  if (ascii === '' || shapeOf(ascii) === 'malformed') return undefined;
  // UTS #46 maps as NFKC and lower case do: only what was typed as an A-label can be a forged one.
  const typedALabel = text.normalize('NFKC').toLowerCase().includes('xn--');
  return typedALabel ? readALabels(ascii) : readLabels(ascii, toUnicode(ascii));
}

/**
 * The two functions are a URL’s host parser, which takes whatever ends in a number for an IPv4 address: `1。2` would become
 * `1.0.0.2`. Mail has no such reading (RFC 5321, 4.1.3 writes addresses in brackets), so they never see the last label last.
 */
const NO_NUMBER = '.x';

function toAscii(text: string): string {
  return domainToASCII(text + NO_NUMBER).slice(0, -NO_NUMBER.length);
}

function toUnicode(ascii: string): string {
  return domainToUnicode(ascii + NO_NUMBER).slice(0, -NO_NUMBER.length);
}

/** What UTS #46 asks of U-labels, and the host parser leaves out: CheckHyphens and the whole of CheckBidi. */
function readLabels(ascii: string, unicode: string): DomainName | undefined {
  if (unicode === '' || hasUnsafeDomainCodePoint(unicode)) return undefined;
  const labels = unicode.split('.');
  for (const label of labels) {
    if (label.startsWith('-') || label.endsWith('-') || hasReservedHyphens(label, 0, label.length)) {
      return undefined;
    }
  }
  return followsBidiRule(labels) ? { ascii, unicode } : undefined;
}
