import type { IpAddress } from '../model/ip-address.ts';
import { visitorNetworkOf } from '../model/ip-address.ts';
import type { Project } from '../model/project.ts';
import { isReserved } from '../model/reserved-networks.ts';
import type { Visitor } from '../store/store.ts';
import type { KeyedHash } from './keyed-hash.ts';

/**
 * The visitor behind a client key’s request, for the project’s `visitorRate`. A private or reserved address does not
 * identify a visitor (it can be a proxy that does not name its clients), so it has no limit.
 */
export function visitorOf(ip: IpAddress | undefined, project: Project, keyedHash: KeyedHash): Visitor | null {
  if (project.visitorRate === 0 || ip === undefined || isReserved(ip)) return null;
  return { hash: keyedHash('visitor', visitorNetworkOf(ip)), limit: project.visitorRate };
}
