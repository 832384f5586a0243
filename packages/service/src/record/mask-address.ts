import type { EmailAddress } from '../model/email-address.ts';
import { subdomainProvider } from '../model/inbox.ts';

/** Replaces the IP address of an address literal, which can identify a person. */
const ADDRESS_LITERAL = '[address literal]';

/** The address as the log may keep it: enough for a person to recognise, too little to write to. */
export function maskAddress(address: EmailAddress): string {
  const first = address.local.codePointAt(0);
  const shown = first === undefined || address.local.length < 3 ? '' : String.fromCodePoint(first);
  return `${shown}***@${loggedDomain(address)}`;
}

/** The domain as the log may keep it: without the part that is a person’s name. */
export function loggedDomain({ asciiDomain, literal }: EmailAddress): string {
  return literal ? ADDRESS_LITERAL : (subdomainProvider(asciiDomain) ?? asciiDomain);
}

/** Text about an address, such as the checks’ results, with the domain as the log may keep it. */
export function maskDomainIn(text: string, address: EmailAddress): string {
  const domain = loggedDomain(address);
  if (domain === address.asciiDomain) return text;
  return text.replaceAll(address.asciiDomain, domain).replaceAll(address.unicodeDomain, domain);
}
