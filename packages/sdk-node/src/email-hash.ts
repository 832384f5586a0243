import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** `sub` of a verdict: SHA-256 of the address in lower case, NFC, with an A-label domain. */
export function emailHash(email: string): string {
  return createHash('sha256').update(normalizedAddress(email)).digest('base64url');
}

/** The same steps as the service’s own, so that both hash the same string. */
function normalizedAddress(email: string): string {
  const address = email.trim();
  const at = address.lastIndexOf('@');
  return `${normalizedLocal(address.slice(0, at))}@${asciiDomain(address.slice(at + 1))}`;
}

/** Phones put it behind a sign unasked, for the coloured drawing; it makes no other address. */
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\u{FE0F}/gu;

function normalizedLocal(text: string): string {
  // Lower case can leave a letter and a mark that compose, so composing comes last as well.
  const local = text.replace(EMOJI_STYLE, '').normalize('NFC').toLowerCase().normalize('NFC');
  if (!local.startsWith('"')) return local;
  return local.replace(/\\(.)/gs, (pair, escaped: string) => (/["\\]/.test(escaped) ? pair : escaped));
}

/** `domainToASCII` is a URL’s host parser that would read `1。2` as `1.0.0.2`; it never sees the last label last. */
const NO_NUMBER = '.x';

/**
 * Plain ASCII needs no reading. All else goes to `domainToASCII` as it was typed: it folds case by UTS #46, which makes
 * of a capital sharp s or a last sigma another letter than JavaScript does.
 */
function asciiDomain(domain: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  if (/^[\x00-\x7f]*$/.test(domain) && !/xn--/i.test(domain)) return domain.toLowerCase();
  return domainToASCII(domain + NO_NUMBER).slice(0, -NO_NUMBER.length) || domain.toLowerCase();
}
