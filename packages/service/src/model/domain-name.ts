import { hasUnsafeDomainCodePoint } from './code-points.ts';
import { domainToAscii, domainToUnicode, hasOnlyIdnaCharacters } from './idna.ts';

/** A domain in both of its spellings, lower case. For an address literal the two are the same. */
export interface DomainName {
  readonly ascii: string;
  readonly unicode: string;
}

/** RFC 1035, 2.3.4, without the root’s empty label and the first length octet. */
const MAX_DOMAIN_OCTETS = 253;
const MAX_LABEL_OCTETS = 63;

const DOT = 0x2e;
const HYPHEN = 0x2d;

/** Classes of the ASCII characters that a domain can have: 1 letter or digit, 2 hyphen, 3 dot. */
const CLASS = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789') {
  CLASS[character.charCodeAt(0)] = 1;
}
CLASS[HYPHEN] = 2;
CLASS[DOT] = 3;

/**
 * The domain in `text` (RFC 5321 `Domain`, internationalised by UTS #46), or `undefined`. A single label is accepted.
 */
export function readDomainName(text: string): DomainName | undefined {
  switch (shapeOf(text)) {
    case 'malformed':
      return undefined;
    case 'plain': {
      const ascii = text.toLowerCase();
      return { ascii, unicode: ascii };
    }
    case 'a-labels': {
      const domain = readInternational(text);
      // Each U-label has exactly one A-label. Any other A-label that decodes to it is forged.
      return domain?.ascii === text.toLowerCase() ? domain : undefined;
    }
    case 'international':
      return readInternational(text);
  }
}

type Shape = 'plain' | 'a-labels' | 'international' | 'malformed';

/** Labels of 1 to 63 letters, digits and inner hyphens. A non-ASCII letter or an A-label needs IDNA. */
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
    if (isALabel(text, start, length)) hasALabel = true;
    start = index + 1;
  }
  return hasALabel ? 'a-labels' : 'plain';
}

/**
 * RFC 5890, 2.3.2.1: the prefix `xn--`. Other labels can have hyphens in the third and fourth place too; some
 * registries sold them.
 */
function isALabel(text: string, start: number, length: number): boolean {
  if (length < 4 || text.charCodeAt(start + 2) !== HYPHEN || text.charCodeAt(start + 3) !== HYPHEN)
    return false;
  return text.slice(start, start + 2).toLowerCase() === 'xn';
}

/** UTS #46 drops invisible characters. They are refused here, so that they cannot hide in a name. */
function hasOnlyDomainCharacters(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80 && CLASS[unit] === 0) return false;
  }
  return !hasUnsafeDomainCodePoint(text);
}

function readInternational(text: string): DomainName | undefined {
  const ascii = domainToAscii(text);
  if (ascii === undefined || shapeOf(ascii) === 'malformed') return undefined;
  const unicode = domainToUnicode(ascii);
  if (unicode === undefined || hasUnsafeDomainCodePoint(unicode)) return undefined;
  return unicode.split('.').every(isULabel) ? { ascii, unicode } : undefined;
}

function isULabel(label: string): boolean {
  return !label.startsWith('-') && !label.endsWith('-') && hasOnlyIdnaCharacters(label);
}
