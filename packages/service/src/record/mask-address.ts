import type { EmailAddress } from '../model/email-address.ts';
import { domainWithoutAccount } from '../model/inbox.ts';
import type { MailRoute } from '../model/mail-route.ts';

/** Replaces the IP address of an address literal, which can identify a person. */
const ADDRESS_LITERAL = '[address literal]';

/**
 * The address as the log may keep it: enough for a person to recognise, too little to write to. `domain` is the
 * `loggedDomain`.
 */
export function maskAddress({ local }: EmailAddress, domain: string): string {
  const first = local.codePointAt(0);
  const shown = first === undefined || local.length < 3 ? '' : String.fromCodePoint(first);
  return `${shown}***@${domain}`;
}

/** The domain as the log may keep it: without the part that may be a person’s name. */
export function loggedDomain(
  { asciiDomain, literal }: EmailAddress,
  mailRoute: () => MailRoute | Promise<MailRoute>,
): string | Promise<string> {
  return literal ? ADDRESS_LITERAL : domainWithoutAccount(asciiDomain, mailRoute);
}

/** Text about an address, such as the checks’ results, with the domain as the log may keep it. */
export function maskDomainIn(text: string, address: EmailAddress, domain: string): string {
  if (domain === address.asciiDomain) return text;
  return text.replaceAll(address.asciiDomain, domain).replaceAll(address.unicodeDomain, domain);
}
