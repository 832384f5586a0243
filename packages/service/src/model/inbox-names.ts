import { findInbox } from './inbox.ts';
import type { MailRoute } from './mail-route.ts';
import { parseEmailAddress } from './parse-email-address.ts';

const NOT_ASKED: MailRoute = { status: 'unknown', reason: 'not-asked' };

/**
 * Every form under which the inbox of an address may be stored; `undefined` for what is not an address. Whether a mail
 * host treats a plus as a tag depended on DNS at that time, so in that case both forms count.
 */
export async function inboxNames(email: string): Promise<string[] | undefined> {
  const address = parseEmailAddress(email.trim());
  if (address === undefined) return undefined;
  const { canonical, family, provider } = await findInbox(address, () => NOT_ASKED);
  const names = [canonical, address.normalized];
  if (family !== undefined && provider === undefined) names.push(family);
  return [...new Set(names)];
}
