import type { IpAddress } from '../model/ip-address.ts';
import { visitorNetworksOf } from '../model/ip-address.ts';
import type { KeyedHash } from '../model/keyed-hash.ts';
import type { Project } from '../model/project.ts';
import { isReserved } from '../model/reserved-networks.ts';
import type { Visitor } from '../store/store.ts';

/**
 * Who may be behind a client key’s request, for the project’s `visitorRate`: the smallest network first. Each larger one
 * may ask twice as much, because it can hold several people. A private or reserved address does not identify a visitor
 * (it can be a proxy that does not name its clients), so it has no limit.
 */
export function visitorsOf(
  ip: IpAddress | undefined,
  { visitorRate }: Pick<Project, 'visitorRate'>,
  keyedHash: KeyedHash,
): readonly Visitor[] {
  if (visitorRate === 0 || ip === undefined || isReserved(ip)) return NO_VISITORS;
  return visitorNetworksOf(ip).map((network, size) => ({
    hash: keyedHash('visitor', network),
    limit: visitorRate * 2 ** size,
  }));
}

export const NO_VISITORS: readonly Visitor[] = [];
