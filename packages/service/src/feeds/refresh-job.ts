import type { FeedProgress } from './keep-feed.ts';
import type { RefreshResult } from './refresh-feeds.ts';

/** What a refresh is started with. */
export interface RefreshJob {
  readonly setting: string;
  readonly folder: string;
  readonly force: boolean;
  readonly only: string | undefined;
  /** An operator wants the source in `only` although its size changed. */
  readonly acceptSize?: boolean;
  /** A file that another machine exported, to be taken in place of the internet. */
  readonly bundle?: string | undefined;
}

export type RefreshMessage =
  | { readonly progress: FeedProgress }
  | { readonly result: RefreshResult | 'busy' }
  | { readonly fault: string };
