import { readWords } from '../lists/read-list.ts';
import type { AccessSpace } from './access-space.ts';
import type { FeedCandidate } from './feed-candidate.ts';
import type { FeedSource } from './feed-source.ts';
import { guardAddresses } from './guard-addresses.ts';
import { type FeedSizes, guardSizes, type MeasuredSizes, SizeChange } from './guard-size.ts';
import { guardNetworkTable } from './network-table.ts';

/** A list that newly contains one of these is refused as poisoned. Smaller providers are removed when it is compiled. */
const NEVER_LISTED = readWords('domains/never-listed.txt');

export interface GuardOptions {
  /** The previously accepted list. `undefined` the first time. */
  readonly accepted: FeedSizes | undefined;
  readonly accessSpace: () => Promise<AccessSpace>;
  /** An operator has reviewed and accepted the change of size. All other guards still apply. */
  readonly acceptSize: boolean;
}

/** Throws an Error with the reason if the new list must not replace the last good one. Returns its sizes. */
export async function guardFeed(
  source: FeedSource,
  candidate: FeedCandidate,
  { accepted, accessSpace, acceptSize }: GuardOptions,
): Promise<MeasuredSizes> {
  const { count, content } = candidate;
  let ipv4Addresses: number | null = null;
  if (content.type === 'table') guardNetworkTable(content.table);
  else if (content.type === 'ranges' && source.use.list === 'networks' && 'kind' in source.use)
    ipv4Addresses = guardAddresses(source.use.kind, content.ranges, await accessSpace()).ipv4;
  else if (content.type === 'domains' && source.use.list === 'domains' && source.use.tier !== 'spared') {
    const provider = NEVER_LISTED.find((name) => content.entries.has(name));
    if (provider !== undefined) throw new Error(`names ${provider}`);
  }
  const measured = { entries: count, ipv4Addresses };
  if (acceptSize) return measured;
  if (count < source.minEntries)
    throw new SizeChange(`has ${count} entries, fewer than ${source.minEntries}`);
  if (accepted !== undefined) guardSizes(measured, accepted);
  return measured;
}
