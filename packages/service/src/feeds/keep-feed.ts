import type { ArchivedFeed, FeedArchive } from './feed-archive.ts';
import type { FeedSource } from './feed-source.ts';
import { guardFeed } from './guard-feed.ts';

export type FeedProgress =
  | {
      readonly step: 'fetch';
      readonly source: string;
      readonly received: number;
      readonly total: number | undefined;
    }
  | {
      readonly step: 'done';
      readonly source: string;
      readonly result: 'changed' | 'unchanged' | 'refused';
      readonly entries: number;
      readonly error?: string;
    }
  | { readonly step: 'compile'; readonly list: 'domains' | 'networks' };

/** What became of each source. */
export interface RefreshResult {
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  readonly refused: Readonly<Record<string, string>>;
}

/** Where sources are kept, and who wants to hear of it. */
export interface Keeping {
  readonly archive: FeedArchive;
  readonly now: () => number;
  readonly onProgress?: (progress: FeedProgress) => void;
}

/** What a source names, as it was read. */
export interface FreshFeed {
  readonly entries: readonly string[];
  /** Milliseconds since 1970. */
  readonly fetchedAt: number;
  readonly validators: ArchivedFeed['validators'];
  /** What another machine saw it name before, and when it last did. */
  readonly older?: readonly (readonly [entry: string, seenAt: number])[];
}

/** Keeps what is good, with what the source named not too long ago. Throws when it is not good, and says why. */
export async function keepFeed(source: FeedSource, fresh: FreshFeed, keeping: Keeping): Promise<void> {
  const { archive } = keeping;
  const kept = await archive.read(source.name);
  guardFeed(source, fresh.entries, kept?.count);
  const isTable = source.format === 'asn-csv';
  if (isTable) await archive.writeTable(source.name, fresh.entries);
  const feed: ArchivedFeed = {
    fetchedAt: fresh.fetchedAt,
    validators: fresh.validators,
    count: fresh.entries.length,
    entries: isTable ? new Map() : accumulate(source, fresh, kept),
  };
  await archive.write(source.name, feed);
  await noteSuccess(source, feed, 'changed', keeping);
}

/** What the source names now, and what it named not too long ago. */
function accumulate(
  { keepMs }: FeedSource,
  { entries, fetchedAt, older = [] }: FreshFeed,
  kept: ArchivedFeed | undefined,
): Map<string, number> {
  const all = new Map<string, number>();
  for (const [entry, seenAt] of [...(kept?.entries ?? []), ...older]) {
    if (fetchedAt - seenAt <= keepMs) all.set(entry, Math.max(seenAt, all.get(entry) ?? 0));
  }
  for (const entry of entries) all.set(entry, fetchedAt);
  return all;
}

export async function noteSuccess(
  { name }: FeedSource,
  feed: Pick<ArchivedFeed, 'fetchedAt' | 'count' | 'entries'>,
  result: 'changed' | 'unchanged',
  { archive, now, onProgress }: Keeping,
): Promise<void> {
  const entries = Math.max(feed.count, feed.entries.size);
  await archive.writeStatus({ name, triedAt: now(), fetchedAt: feed.fetchedAt, entries, error: null });
  onProgress?.({ step: 'done', source: name, result, entries });
}

export async function noteRefusal(
  { name }: FeedSource,
  error: string,
  { archive, now, onProgress }: Keeping,
): Promise<void> {
  const last = (await archive.status())[name];
  const entries = last?.entries ?? 0;
  await archive.writeStatus({ name, triedAt: now(), fetchedAt: last?.fetchedAt ?? null, entries, error });
  onProgress?.({ step: 'done', source: name, result: 'refused', entries, error });
}
