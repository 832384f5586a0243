import { inboxNames } from '../model/inbox-names.ts';
import { createKeyedHash, type KeyedHash } from '../model/keyed-hash.ts';
import { hashSecret } from '../store/tables/instance-table.ts';
import { type Administration, InvalidInput, quoted } from './administration.ts';

/** The hash under which this instance keeps addresses and devices. */
export async function instanceHash({ store }: Pick<Administration, 'store'>): Promise<KeyedHash> {
  return createKeyedHash(await hashSecret(store.instance));
}

/** The hashes under which the inbox of an address may be kept. Throws InvalidInput for what is not an address. */
export function inboxHashes(keyedHash: KeyedHash, email: string): string[] {
  const names = inboxNames(email);
  if (names === undefined) throw new InvalidInput('email', `${quoted(email)} is not an address.`);
  return names.map((name) => keyedHash('inbox', name));
}
