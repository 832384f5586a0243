import { readWords } from '../lists/read-list.ts';

/** Home and mobile networks by AS number: the largest of each region of the world. */
export function accessNetworks(): ReadonlySet<number> {
  return new Set(readWords('networks/access-networks.txt').map(Number));
}
