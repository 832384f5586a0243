import { asciiDomain } from './ascii-domain.ts';
import { sha256Base64url } from './base64url.ts';

/** `sub` of a verdict: SHA-256 of the address in lower case, NFC, with an A-label domain. */
export async function emailHash(email: string): Promise<string> {
  return sha256Base64url(new TextEncoder().encode(await spelledAsService(email)));
}

/**
 * The address as the service spells it, or `undefined` if its domain has characters that cannot be seen: the service
 * refuses those, and a mail server would drop them and deliver to the domain without them.
 */
export async function normalizeEmail(email: string): Promise<string | undefined> {
  return HIDDEN.test(email.slice(email.lastIndexOf('@') + 1).trim()) ? undefined : spelledAsService(email);
}

/** The two joiners are letters’ own in some scripts, and IDNA checks them. */
const HIDDEN = /(?![\u{200C}\u{200D}])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u{2800}\u{FFFC}\u{FFFD}]/u;

/** An address’s domain in A-labels and lower case. */
export function domainOf(email: string): Promise<string> {
  const address = email.trim();
  return asciiDomain(address.slice(address.lastIndexOf('@') + 1));
}

/** The same steps as the service’s own, so that both hash the same string. */
async function spelledAsService(email: string): Promise<string> {
  const address = email.trim();
  const at = address.lastIndexOf('@');
  const domain = await asciiDomain(address.slice(at + 1));
  return `${normalizedLocal(address.slice(0, at))}@${domain}`;
}

/** Phones append it to some characters to show them as emoji. It does not change the address. */
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\u{FE0F}/gu;

function normalizedLocal(text: string): string {
  // Lower-casing can leave a letter and a mark that compose, so the text is composed again at the end.
  const local = text.replace(EMOJI_STYLE, '').normalize('NFC').toLowerCase().normalize('NFC');
  if (!local.startsWith('"')) return local;
  return local.replace(/\\(.)/gs, (pair, escaped: string) => (/["\\]/.test(escaped) ? pair : escaped));
}
