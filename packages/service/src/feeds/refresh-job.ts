import type { OutgoingProxy } from '../events/safe-fetch/outgoing-proxy.ts';
import type { FeedProgress } from './keep-feed.ts';
import type { RefreshResult } from './refresh-feeds.ts';

/** The input of a refresh. */
export interface RefreshJob {
  readonly setting: string;
  readonly folder: string;
  readonly force: boolean;
  readonly only: string | undefined;
  /** An operator accepts the source in `only` although its size changed. */
  readonly acceptSize?: boolean;
  /** A bundle from another machine, used instead of the internet. */
  readonly bundle?: string | undefined;
  readonly proxy?: OutgoingProxy | undefined;
}

export type RefreshMessage =
  | { readonly progress: FeedProgress }
  | { readonly result: RefreshResult | 'busy' }
  | { readonly fault: string };
