import { type CompileOptions, compileWhereNeeded } from './compile-feeds.ts';
import type { SeenEntry } from './feed-archive.ts';
import { type Bundle, openBundle } from './feed-bundle.ts';
import type { FeedSource } from './feed-source.ts';
import { type ArchiveContext, keepFeed, noteFailure, noteUnchanged } from './keep-feed.ts';
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
    const bundle = openBundle(options.bundle, archive.draft('bundle.db'));
    for (const { name, contentAt } of bundle.sources) {
      const source = sources.find((known) => known.name === name);
      if (source === undefined) {
        refused[name] = 'is not a source that this installation knows';
        continue;
      }
      try {
        const isNewer = await importOne(source, contentAt, bundle, options);
        (isNewer ? changed : unchanged).push(name);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        refused[name] = reason;
        noteFailure(source, reason, false, options);
      }
    }
    bundle.close();
    const compiled = await compileWhereNeeded(options);
    archive.noteRun(null);
    return { changed, unchanged, refused, gone: {}, ...compiled };
  });
}

/** Whether the bundle had newer data that passed the guards. */
async function importOne(
  source: FeedSource,
  fetchedAt: number,
  bundle: Bundle,
  options: ImportOptions,
): Promise<boolean> {
  const { archive, now } = options;
  const existing = archive.source(source.name);
  if (existing.contentAt !== null && existing.contentAt >= fetchedAt) {
    noteUnchanged(source, { confirmedAt: existing.confirmedAt }, options);
    return false;
  }
  // A fast clock on the other machine must not make the data look fresh forever.
  const contentAt = Math.min(fetchedAt, now());
  const earlierEntries: SeenEntry[] = [];
  for (const [entry, first, last] of bundle.earlierEntries(source.name))
    if (first <= last && last <= contentAt && isEntry(entry, source))
      earlierEntries.push([entry, first, last]);
  const files = [bundle.entries(source.name, source.maxBytes)];
  await keepFeed(source, { files, contentAt, validators: {}, earlierEntries }, options);
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
