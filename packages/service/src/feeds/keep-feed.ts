import type { AccessSpace } from './access-space.ts';
import type { FeedArchive, FeedList, SeenEntry, SourceStatus } from './feed-archive.ts';
import { type FeedCandidate, readCandidate } from './feed-candidate.ts';
import type { FeedSource } from './feed-source.ts';
import { guardFeed } from './guard-feed.ts';
import { nextSizes } from './guard-size.ts';

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
      readonly result: 'changed' | 'unchanged' | 'refused' | 'gone';
      readonly entries: number;
      readonly error?: string;
    }
  | { readonly step: 'compile'; readonly list: FeedList }
  | { readonly step: 'damaged'; readonly message: string };

/** Where sources are archived, and the data for their guards. */
export interface ArchiveContext {
  readonly archive: FeedArchive;
  readonly now: () => number;
  readonly accessSpace: () => Promise<AccessSpace>;
  readonly onProgress?: (progress: FeedProgress) => void;
}

/** A source’s list as it arrived. */
export interface FreshFeed {
  /** The lines of each file. They are read more than once. */
  readonly files: readonly Iterable<string>[];
  /** Milliseconds since 1970. */
  readonly contentAt: number;
  readonly validators: SourceStatus['validators'];
  /** Entries that another machine saw earlier. */
  readonly earlierEntries?: readonly SeenEntry[];
  /** An operator accepts the list although its size changed. */
  readonly acceptSize?: boolean;
}

/**
 * Archives a good list, together with recent entries that it no longer has. Throws an Error with the reason if the list
 * is refused.
 */
export async function keepFeed(source: FeedSource, fresh: FreshFeed, keeping: ArchiveContext): Promise<void> {
  const { archive, accessSpace } = keeping;
  const { validators, acceptSize = false } = fresh;
  const candidate = readCandidate(fresh.files, source.format);
  const last = archive.source(source.name);
  // Two contents of one source never have the same `contentAt`.
  const contentAt = fresh.contentAt === last.contentAt ? fresh.contentAt + 1 : fresh.contentAt;
  const accepted = last.sizes ?? undefined;
  const measured = await guardFeed(source, candidate, { accepted, accessSpace, acceptSize });
  const sizes = nextSizes(measured, contentAt, acceptSize ? undefined : accepted);
  const { firstSeen, kept } = readHistory(source, candidate, { ...fresh, contentAt }, archive);
  const entries = candidate.count + kept.size;
  archive.write(
    source.name,
    { ...succeeded(keeping), contentAt, confirmedAt: contentAt, entries, validators, sizes },
    seenEntries(candidate.content.entries, firstSeen, kept, contentAt),
  );
  keeping.onProgress?.({ step: 'done', source: source.name, result: 'changed', entries });
}

function readHistory(
  source: FeedSource,
  { content }: FeedCandidate,
  { contentAt, earlierEntries = [] }: FreshFeed,
  archive: FeedArchive,
): History {
  if (content.type === 'table' || source.keepMs === 0) return { firstSeen: new Map(), kept: new Map() };
  const seen = [...archive.entries(source.name), ...earlierEntries];
  return mergeHistory(source, content.entries, seen, contentAt);
}

/**
 * A list of recently abused domains drops names because they are old, and these are kept. A name that disappears soon
 * after it was added was a mistake of the source, and is removed immediately.
 */
const WITHDRAWN_WITHIN_PERIODS = 2;

interface History {
  /** When entries of the new file were first listed, if that was earlier. */
  readonly firstSeen: ReadonlyMap<string, number>;
  /** The entries that the new file no longer has. */
  readonly kept: ReadonlyMap<string, readonly [firstSeen: number, lastSeen: number]>;
}

function mergeHistory(
  { everyMs, keepMs }: FeedSource,
  entries: ReadonlySet<string>,
  seen: readonly SeenEntry[],
  contentAt: number,
): History {
  const firstSeen = new Map<string, number>();
  const kept = new Map<string, readonly [number, number]>();
  for (const [entry, first, last] of seen) {
    if (contentAt - last > keepMs) continue;
    if (entries.has(entry)) {
      firstSeen.set(entry, Math.min(first, firstSeen.get(entry) ?? first));
      continue;
    }
    const [knownFirst, knownLast] = kept.get(entry) ?? [first, last];
    kept.set(entry, [Math.min(first, knownFirst), Math.max(last, knownLast)]);
  }
  for (const [entry, [first, last]] of kept)
    if (last - first < WITHDRAWN_WITHIN_PERIODS * everyMs) kept.delete(entry);
  return { firstSeen, kept };
}

function* seenEntries(
  entries: Iterable<string>,
  firstSeen: History['firstSeen'],
  kept: History['kept'],
  contentAt: number,
): Generator<SeenEntry> {
  for (const entry of entries) yield [entry, firstSeen.get(entry) ?? contentAt, contentAt];
  for (const [entry, [first, last]] of kept) yield [entry, first, last];
}

const succeeded = ({ now }: ArchiveContext) => ({
  triedAt: now(),
  error: null,
  failures: 0,
  failingSince: null,
  gone: false,
});

/** Records that a source has nothing newer than what is archived. */
export function noteUnchanged(
  { name }: FeedSource,
  change: Pick<SourceStatus, 'confirmedAt'>,
  context: ArchiveContext,
): void {
  const { archive, onProgress } = context;
  archive.noteSource(name, { ...succeeded(context), ...change });
  onProgress?.({ step: 'done', source: name, result: 'unchanged', entries: archive.source(name).entries });
}

/** Records why a source was refused. `gone`: the server says that the file no longer exists. */
export function noteFailure(
  { name }: FeedSource,
  error: string,
  gone: boolean,
  { archive, now, onProgress }: ArchiveContext,
): void {
  const { entries, failures, failingSince } = archive.source(name);
  archive.noteSource(name, {
    triedAt: now(),
    error,
    failures: failures + 1,
    failingSince: failingSince ?? now(),
    gone,
  });
  onProgress?.({ step: 'done', source: name, result: gone ? 'gone' : 'refused', entries, error });
}
