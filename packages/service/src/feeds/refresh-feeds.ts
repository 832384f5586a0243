import { type CompileOptions, compileChanged } from './compile-feeds.ts';
import type { FeedStatus } from './feed-archive.ts';
import type { FeedSource } from './feed-source.ts';
import type { FeedValidators, FetchFeed } from './fetch-feed.ts';
import { type Keeping, keepFeed, noteRefusal, noteSuccess, type RefreshResult } from './keep-feed.ts';
import { readFeed } from './read-feed.ts';

export interface RefreshOptions extends CompileOptions, Keeping {
  /** The sources to refresh, by name; absent: all. What is compiled holds all of them nevertheless. */
  readonly only?: readonly string[] | undefined;
  readonly fetch: FetchFeed;
  /** `false`: only sources whose time has come. */
  readonly force: boolean;
  /** Whether a source may be at a private address. */
  readonly allowPrivate: boolean;
}

/** A minute, and what the largest file may take at half a megabyte a second. */
const fetchTimeoutMs = ({ maxBytes }: FeedSource): number => 60_000 + Math.ceil((2 * maxBytes) / 1024);

/** What could not be had is tried again before its time. */
const RETRY_MS = 30 * 60_000;

/** Fetches what is due, keeps what is good, and compiles what changed. A source that fails leaves the last good copy. */
export async function refreshFeeds(options: RefreshOptions): Promise<RefreshResult | 'busy'> {
  return options.archive.exclusively(async () => {
    const changed: FeedSource[] = [];
    const unchanged: string[] = [];
    const refused: Record<string, string> = {};
    const status = await options.archive.status();
    for (const source of options.sources) {
      if (options.only?.includes(source.name) === false) continue;
      if (!options.force && !isDue(source, status[source.name], options.now())) continue;
      try {
        if (await refreshOne(source, options)) changed.push(source);
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

function isDue({ everyMs }: FeedSource, last: FeedStatus | undefined, now: number): boolean {
  if (last?.triedAt == null) return true;
  return now - last.triedAt >= (last.error === null ? everyMs : Math.min(everyMs, RETRY_MS));
}

/** Whether the source had something new that was good. */
async function refreshOne(source: FeedSource, options: RefreshOptions): Promise<boolean> {
  const { archive, now, onProgress } = options;
  const kept = await archive.read(source.name);
  const validators: Record<string, FeedValidators> = {};
  const texts: string[] = [];
  for (const url of source.urls) {
    // With several files, one that is unchanged is no use without the others: they are then fetched whole.
    const known = source.urls.length === 1 ? (kept?.validators[url] ?? {}) : {};
    const answer = await options.fetch(url, known, {
      maxBytes: source.maxBytes,
      timeoutMs: fetchTimeoutMs(source),
      allowPrivate: options.allowPrivate,
      onBytes: (received, total) => onProgress?.({ step: 'fetch', source: source.name, received, total }),
    });
    if (answer.changed) {
      texts.push(answer.text);
      validators[url] = answer.validators;
    }
  }
  if (texts.length > 0) {
    const entries = texts.flatMap((text) => readFeed(text, source.format));
    await keepFeed(source, { entries, fetchedAt: now(), validators }, options);
    return true;
  }
  // An answer of “not modified” without a copy to go by is a server’s mistake.
  if (kept === undefined) throw new Error('says that it did not change, and was never fetched');
  await noteSuccess(source, { ...kept, fetchedAt: now() }, 'unchanged', options);
  return false;
}
