import { hasUnsafeCodePoint, utf8Length, withoutEmojiStyle } from './code-points.ts';

/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_OCTETS = 64;

const DOT = 0x2e;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** RFC 5322, 3.2.3. */
const ATEXT = new Uint8Array(128);
for (const character of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~") {
  ATEXT[character.charCodeAt(0)] = 1;
}

/** A combining mark without a letter: it would be drawn on the dot, the quote or the text before the address. */
const STRAY_MARK = /(?:^|[".])\p{M}/u;

/** `text` in NFC and lower case if it is an RFC 5321 Dot-string with RFC 6531’s letters, else `undefined`. */
export function readDotString(text: string): string | undefined {
  if (text.length > MAX_LOCAL_OCTETS) return undefined;
  const letters = lettersOfDotString(text);
  if (letters === 'ascii') return text.toLowerCase();
  if (letters === 'none') return undefined;
  // Composing can turn a character into ASCII (the Greek question mark becomes a semicolon), so the result is checked
  // again.
  const local = normalize(text);
  return lettersOfDotString(local) !== 'none' && isSafe(text, local) ? local : undefined;
}

/** The kind of letters in `text`. `none` if it is not a list of atoms separated by single dots. */
function lettersOfDotString(text: string): 'ascii' | 'international' | 'none' {
  let ascii = true;
  let afterDot = true;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === DOT) {
      if (afterDot) return 'none';
      afterDot = true;
      continue;
    }
    if (unit >= 0x80) ascii = false;
    else if (ATEXT[unit] !== 1) return 'none';
    afterDot = false;
  }
  if (afterDot) return 'none';
  return ascii ? 'ascii' : 'international';
}

/** The index after the closing quote of a quoted string that `text` starts with, or -1 if it is not closed. */
export function endOfQuotedString(text: string): number {
  for (let index = 1; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) return index + 1;
    if (unit === BACKSLASH) index++;
  }
  return -1;
}

/**
 * `text`, quotes included, in NFC and lower case and without needless backslashes if it is an RFC 5321 Quoted-string,
 * else `undefined`. The quotes can be empty. Controls and tabs are not allowed.
 */
export function readQuotedString(text: string): string | undefined {
  if (text.length > MAX_LOCAL_OCTETS) return undefined;
  const source = normalize(text);
  let local = '"';
  let ascii = true;
  for (let index = 1; index < source.length - 1; index++) {
    let unit = source.charCodeAt(index);
    if (unit === BACKSLASH) {
      index++;
      unit = source.charCodeAt(index);
      // Only ASCII can be escaped (quoted-pairSMTP), and the closing quote is not part of a pair.
      if (unit >= 0x80 || index === source.length - 1) return undefined;
      if (unit === QUOTE || unit === BACKSLASH) local += '\\';
    } else if (unit === QUOTE) {
      return undefined;
    }
    if (unit < 0x20 || unit === 0x7f) return undefined;
    if (unit >= 0x80) ascii = false;
    local += source[index];
  }
  local += '"';
  return ascii || isSafe(text, local) ? local : undefined;
}

function normalize(text: string): string {
  // Lower-casing can leave a letter and a mark that compose, so the text is composed again at the end.
  return withoutEmojiStyle(text).normalize('NFC').toLowerCase().normalize('NFC');
}

function isSafe(text: string, local: string): boolean {
  if (utf8Length(text) > MAX_LOCAL_OCTETS || utf8Length(local) > MAX_LOCAL_OCTETS) return false;
  // Spaces are allowed between quotes. Without quotes, readDotString has already refused them.
  return !STRAY_MARK.test(local) && !hasUnsafeCodePoint(local.replaceAll(' ', ''));
}
