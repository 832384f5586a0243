import type { AccessSpace } from './access-space.ts';
import { entryLine, type FeedArchive, type FeedHeader } from './feed-archive.ts';
import { type FeedCandidate, readCandidate } from './feed-candidate.ts';
import type { FeedSource } from './feed-source.ts';
import type { FeedList } from './feed-state.ts';
import { guardFeed } from './guard-feed.ts';
import { type FeedSizes, nextSizes } from './guard-size.ts';

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
  | { readonly step: 'damaged'; readonly source: string; readonly message: string };

/** Where sources are archived, and the data for their guards. */
export interface ArchiveContext {
  readonly archive: FeedArchive;
  readonly now: () => number;
  readonly accessSpace: () => Promise<AccessSpace>;
  readonly onProgress?: (progress: FeedProgress) => void;
}

type SeenEntry = readonly [entry: string, firstSeen: number, lastSeen: number];

/** A source’s list as it arrived. */
export interface FreshFeed {
  readonly files: readonly string[];
  /** Milliseconds since 1970. */
  readonly contentAt: number;
  readonly validators: FeedHeader['validators'];
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
  const candidate = await readCandidate(fresh.files, source.format);
  const last = await archive.header(source.name);
  // Two contents of one source never have the same `contentAt`.
  const contentAt = fresh.contentAt === last?.contentAt ? fresh.contentAt + 1 : fresh.contentAt;
  const accepted = last?.sizes;
  const measured = await guardFeed(source, candidate, { accepted, accessSpace, acceptSize });
  const sizes: FeedSizes = nextSizes(measured, contentAt, acceptSize ? undefined : accepted);
  const header: FeedHeader = { contentAt, count: candidate.count, validators, sizes };
  const { lines, entries } = await archiveLines(source, candidate, { ...fresh, contentAt }, archive);
  await archive.write(source.name, header, lines);
  await noteSuccess(source, { contentAt, entries }, 'changed', keeping);
}

async function archiveLines(
  source: FeedSource,
  { count, content }: FeedCandidate,
  { contentAt, earlierEntries = [] }: FreshFeed,
  archive: FeedArchive,
): Promise<{ lines: AsyncIterable<string[]>; entries: number }> {
  if (content.type === 'table') return { lines: content.lines(), entries: count };
  const seen = source.keepMs === 0 ? [] : [...(await readSeen(source, archive)), ...earlierEntries];
  const { firstSeen, kept } = mergeHistory(source, content.entries, seen, contentAt);
  return { lines: entryLines(content.entries, firstSeen, kept, contentAt), entries: count + kept.size };
}

async function readSeen({ name }: FeedSource, archive: FeedArchive): Promise<SeenEntry[]> {
  const kept = await archive.read(name, () => {
    const seen: SeenEntry[] = [];
    return { add: (...entry) => void seen.push(entry), finish: () => seen };
  });
  return kept?.content ?? [];
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

const BATCH = 4_096;

async function* entryLines(
  entries: ReadonlySet<string>,
  firstSeen: History['firstSeen'],
  kept: History['kept'],
  contentAt: number,
): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for (const entry of entries) {
    batch.push(entryLine(entry, firstSeen.get(entry) ?? contentAt, contentAt, contentAt));
    if (batch.length === BATCH) {
      yield batch;
      batch = [];
    }
  }
  for (const [entry, [first, last]] of kept) batch.push(entryLine(entry, first, last, contentAt));
  yield batch;
}

export async function noteSuccess(
  { name }: FeedSource,
  { contentAt, entries }: { readonly contentAt: number; readonly entries: number },
  result: 'changed' | 'unchanged',
  { archive, now, onProgress }: ArchiveContext,
  confirmedAt: number = contentAt,
): Promise<void> {
  await archive.writeSource({
    name,
    triedAt: now(),
    contentAt,
    confirmedAt,
    entries,
    error: null,
    failures: 0,
    failingSince: null,
    gone: false,
  });
  onProgress?.({ step: 'done', source: name, result, entries });
}

/** Records why a source was refused. `gone`: the server says that the file no longer exists. */
export async function noteFailure(
  { name }: FeedSource,
  error: string,
  gone: boolean,
  { archive, now, onProgress }: ArchiveContext,
): Promise<void> {
  const last = (await archive.status()).sources[name];
  const entries = last?.entries ?? 0;
  await archive.writeSource({
    name,
    triedAt: now(),
    contentAt: last?.contentAt ?? null,
    confirmedAt: last?.confirmedAt ?? null,
    entries,
    error,
    failures: (last?.failures ?? 0) + 1,
    failingSince: last?.failingSince ?? now(),
    gone,
  });
  onProgress?.({ step: 'done', source: name, result: gone ? 'gone' : 'refused', entries, error });
}
