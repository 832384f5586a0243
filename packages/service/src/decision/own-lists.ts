import type { Signal } from '@postern/contract';
import type { CheckInput } from '../checks/check.ts';
import type { Inbox } from '../model/inbox.ts';
import { namesOfInbox } from '../model/inbox-names.ts';
import type { Listing } from '../model/list-value.ts';
import type { LookUpNetwork } from '../model/network-facts.ts';
import type { Project } from '../model/project.ts';
import { indexesOfBlockList, indexOfList } from './list-index.ts';

export type OwnLists = Pick<Project, 'allowList' | 'blockList'>;

/** Who is asking, as the lists know them. */
export interface Asker {
  readonly input: Pick<CheckInput, 'address' | 'ip' | 'now'>;
  readonly inbox: Inbox;
  /** Hashes as the log shows them. */
  readonly person: string;
  readonly mailHost: string;
  readonly device: string | undefined;
}

/**
 * The more specific entry wins; between equally specific ones, allow, then block. The answer is then the list’s, whatever the
 * checks find.
 */
export function findListing(
  { allowList, blockList }: OwnLists,
  { input, inbox, person, mailHost, device }: Asker,
  network: LookUpNetwork,
): Listing | null {
  if (allowList.length + blockList.length === 0) return null;
  const { address, ip, now } = input;
  const asked = {
    names: namesOfInbox(address, inbox),
    person,
    device,
    domain: address.asciiDomain,
    mailHost,
    ip,
    network: () => ip && network(ip),
    now,
  };
  const { block, flag } = indexesOfBlockList(blockList);
  const hits = [
    ['allow', indexOfList(allowList).find(asked)],
    ['block', block.find(asked)],
    ['flag', flag.find(asked)],
  ] as const;
  let best: (Listing & { readonly rank: number }) | null = null;
  for (const [action, hit] of hits)
    if (hit !== undefined && (best === null || hit.rank > best.rank)) best = { action, ...hit };
  return best && { action: best.action, kind: best.kind };
}

export function listingSignal({ action }: Listing): Signal {
  return action === 'allow' ? 'allow_listed' : 'block_listed';
}
