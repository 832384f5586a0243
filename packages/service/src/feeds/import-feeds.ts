import { type CompileOptions, compileChanged } from './compile-feeds.ts';
import type { PackedFeed } from './feed-bundle.ts';
import type { FeedSource } from './feed-source.ts';
import { type Keeping, keepFeed, noteRefusal, noteSuccess, type RefreshResult } from './keep-feed.ts';
import { readFeed } from './read-feed.ts';

export interface ImportOptions extends CompileOptions, Keeping {
  readonly feeds: readonly PackedFeed[];
}

/**
 * Takes sources from a bundle that another machine exported, through the same guards as a refresh, and compiles what
 * changed. What is here already and as new stays.
 */
export async function importFeeds(options: ImportOptions): Promise<RefreshResult | 'busy'> {
  return options.archive.exclusively(async () => {
    const changed: FeedSource[] = [];
    const unchanged: string[] = [];
    const refused: Record<string, string> = {};
    for (const packed of options.feeds) {
      const source = options.sources.find(({ name }) => name === packed.name);
      if (source === undefined) {
        refused[packed.name] = 'is no source that this installation knows';
        continue;
      }
      try {
        if (await importOne(source, packed, options)) changed.push(source);
        else unchanged.push(source.name);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        refused[source.name] = reason;
        await noteRefusal(source, reason, options);
      }
    }
    await compileChanged(options, changed);
    return { changed: changed.map(({ name }) => name), unchanged, refused };
  });
}

/** Whether the bundle had something newer that was good. */
async function importOne(source: FeedSource, packed: PackedFeed, options: ImportOptions): Promise<boolean> {
  const { archive, now } = options;
  const here = await archive.read(source.name);
  if (here !== undefined && here.fetchedAt >= packed.fetchedAt) {
    await noteSuccess(source, here, 'unchanged', options);
    return false;
  }
  // A clock that is ahead on the other machine must not make the data look fresh for ever.
  const fetchedAt = Math.min(packed.fetchedAt, now());
  const entries = readFeed(packed.entries.join('\n'), source.format);
  const older = packed.kept.filter(([entry, seenAt]) => seenAt <= fetchedAt && isEntry(entry, source));
  await keepFeed(source, { entries, fetchedAt, validators: {}, older }, options);
  return true;
}

function isEntry(text: string, { format }: FeedSource): boolean {
  try {
    return readFeed(text, format)[0] === text;
  } catch {
    return false;
  }
}
