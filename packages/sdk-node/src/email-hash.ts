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
  // Lower case can leave a letter and a mark that compose, so composing comes last as well.
  const local = address.slice(0, at).normalize('NFC').toLowerCase().normalize('NFC');
  return `${local}@${asciiDomain(address.slice(at + 1))}`;
}

/**
 * Plain ASCII stays away from `domainToASCII`, a URL’s host parser that would read `1.2` as `1.0.0.2`. All else goes
 * there as it was typed: it folds case by UTS #46, which makes of a capital sharp s or a last sigma another letter
 * than JavaScript does.
 */
function asciiDomain(domain: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
  if (/^[\x00-\x7f]*$/.test(domain) && !/xn--/i.test(domain)) return domain.toLowerCase();
  return domainToASCII(domain) || domain.toLowerCase();
}
