import { readWords } from '../lists/read-list.ts';

/** Networks that people use at home and on the phone, by number: the largest of each part of the world. */
export function accessNetworks(): ReadonlySet<number> {
  return new Set(readWords('networks/access-networks.txt').map(Number));
}
