import { sha256Base64url } from './base64url.ts';

/** `sub` of a verdict: SHA-256 of the address in lower case, NFC, with an A-label domain. */
export async function emailHash(email: string): Promise<string> {
  return sha256Base64url(new TextEncoder().encode(normalizedAddress(email)));
}

/** An address’s domain in A-labels and lower case. */
export function domainOf(email: string): string {
  const address = email.trim();
  return asciiDomain(address.slice(address.lastIndexOf('@') + 1));
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

/** A URL’s host parser would read `1。2` as the IP address `1.0.0.2`; a last label that is no number prevents it. */
const NO_NUMBER = '.x';

/** What ends a host, stands for something else or is decoded in a URL. No domain has it. */
const NO_HOST = /[\s/?#@:%\\[\]<>^|]/;

/**
 * Plain ASCII only needs lower case. The rest goes to the URL parser as it was typed: it folds case by UTS #46, which
 * turns a capital sharp s or a last sigma into another letter than JavaScript does.
 */
function asciiDomain(domain: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  if (/^[\x00-\x7f]*$/.test(domain) && !/xn--/i.test(domain)) return domain.toLowerCase();
  if (NO_HOST.test(domain)) return domain.toLowerCase();
  try {
    // Not `URL.canParse`: once optimised, Node 20’s misreads Latin letters beyond ASCII.
    return new URL(`http://${domain}${NO_NUMBER}`).hostname.slice(0, -NO_NUMBER.length);
  } catch {
    return domain.toLowerCase();
  }
}
