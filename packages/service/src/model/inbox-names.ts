import type { EmailAddress } from './email-address.ts';
import { findInbox, type Inbox } from './inbox.ts';
import { NOT_ASKED } from './mail-route.ts';
import { parseEmailAddress } from './parse-email-address.ts';

/** Every form under which the inbox of an address may be stored, without asking DNS. */
export function namesOfAddress(address: EmailAddress): string[] {
  return namesOfInbox(
    address,
    findInbox(address, () => NOT_ASKED),
  );
}

/**
 * The inbox’s canonical name, the address itself, and the name without its tag if it is unknown whether the mail host
 * treats a plus as a tag.
 */
export function namesOfInbox(address: EmailAddress, { canonical, family, provider }: Inbox): string[] {
  const names = canonical === address.normalized ? [canonical] : [canonical, address.normalized];
  if (family !== undefined && provider === undefined) names.push(family);
  return names;
}

/** The same for an address as typed; `undefined` for what is not an address. */
export function inboxNames(email: string): string[] | undefined {
  const address = parseEmailAddress(email.trim());
  return address && namesOfAddress(address);
}
