import { type CidrSet, createCidrSet, parseCidr } from '../../model/cidr.ts';
import type { IpAddress } from '../../model/ip-address.ts';
import type { ListEntry } from '../../model/project.ts';

interface Index {
  readonly set: CidrSet;
  /** When the first of its entries expires. */
  readonly validUntil: number;
}

/** A project’s lists are replaced, never changed, so the list object itself can be the key. */
const indexes = new WeakMap<readonly ListEntry[], Index>();

/** Whether an unexpired entry of a project’s list is the address or a range that contains it. */
export function listHasIp(list: readonly ListEntry[], ip: IpAddress, now: number): boolean {
  if (list.length === 0) return false;
  let index = indexes.get(list);
  if (index === undefined || now >= index.validUntil) {
    index = indexOf(list, now);
    indexes.set(list, index);
  }
  return index.set.has(ip);
}

/** The same lists hold domains and addresses of mailboxes: those are not ranges, and other checks handle them. */
function indexOf(list: readonly ListEntry[], now: number): Index {
  const live = list.filter(({ expiresAt }) => expiresAt === undefined || now < expiresAt);
  const ranges = live.map(({ value }) => parseCidr(value.trim())).filter((cidr) => cidr !== undefined);
  const validUntil = Math.min(
    ...live.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY),
    Number.POSITIVE_INFINITY,
  );
  return { set: createCidrSet(ranges), validUntil };
}
