import { rm } from 'node:fs/promises';
import { type CompileOptions, compileWhereNeeded } from './compile-feeds.ts';
import { type PackedFeed, unpackFeeds } from './feed-bundle.ts';
import type { FeedSource } from './feed-source.ts';
import { type ArchiveContext, keepFeed, noteFailure, noteSuccess } from './keep-feed.ts';
import { createLineReader } from './read-feed.ts';
import type { RefreshResult } from './refresh-feeds.ts';

export interface ImportOptions extends CompileOptions, ArchiveContext {
  readonly bundle: string;
}

/**
 * Imports sources from a bundle of another machine, with the same guards as a refresh, and compiles the lists that
 * changed. A source is left alone if the data here is as new as the bundle’s.
 */
export async function importFeeds(options: ImportOptions): Promise<RefreshResult | 'busy'> {
  const { archive, sources } = options;
  return archive.exclusively(async () => {
    const changed: string[] = [];
    const unchanged: string[] = [];
    const refused: Record<string, string> = {};
    for await (const packed of unpackFeeds(options.bundle, archive.draft)) {
      const source = sources.find(({ name }) => name === packed.name);
      if (source === undefined) {
        refused[packed.name] = 'is not a source that this installation knows';
        continue;
      }
      try {
        const isNewer = await importOne(source, packed, options);
        (isNewer ? changed : unchanged).push(source.name);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        refused[source.name] = reason;
        await noteFailure(source, reason, false, options);
      } finally {
        await rm(packed.file, { force: true });
      }
    }
    const compiled = await compileWhereNeeded(options);
    await archive.noteRun(null);
    return { changed, unchanged, refused, gone: {}, ...compiled };
  });
}

/** Whether the bundle had newer data that passed the guards. */
async function importOne(source: FeedSource, packed: PackedFeed, options: ImportOptions): Promise<boolean> {
  const { archive, now } = options;
  const existing = await archive.header(source.name);
  if (existing !== undefined && existing.contentAt >= packed.contentAt) {
    const { contentAt, count } = existing;
    await noteSuccess(source, { contentAt, entries: count }, 'unchanged', options);
    return false;
  }
  // A fast clock on the other machine must not make the data look fresh forever.
  const contentAt = Math.min(packed.contentAt, now());
  const earlierEntries = packed.earlierEntries.filter(
    ([entry, first, last]) => first <= last && last <= contentAt && isEntry(entry, source),
  );
  await keepFeed(source, { files: [packed.file], contentAt, validators: {}, earlierEntries }, options);
  return true;
}

/** Whether the reader of the source’s format takes the whole text as one entry. A bundle can contain anything. */
function isEntry(text: string, { format }: FeedSource): boolean {
  let found: string | undefined;
  try {
    createLineReader(format, (entry) => {
      found = entry;
    }).add(text);
  } catch {
    return false;
  }
  return found === text;
}
