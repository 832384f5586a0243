import { rm } from 'node:fs/promises';
import { type CompileOptions, type CompileResult, compileWhereNeeded } from './compile-feeds.ts';
import type { SourceStatus } from './feed-archive.ts';
import type { FeedSource } from './feed-source.ts';
import { FeedGone, type FeedValidators, type FetchFeed } from './fetch-feed.ts';
import { type ArchiveContext, keepFeed, noteFailure, noteUnchanged } from './keep-feed.ts';
import { linesOf } from './read-lines.ts';

export interface RefreshOptions extends CompileOptions, ArchiveContext {
  /** The names of the sources to refresh. If absent, all. The compiled data always includes all sources. */
  readonly only?: readonly string[] | undefined;
  readonly fetch: FetchFeed;
  /** `false`: only sources that are due. */
  readonly force: boolean;
  /** Whether a source may be at a private address. */
  readonly allowPrivate: boolean;
  /** An operator accepts the sources in `only` although their size changed. */
  readonly acceptSize?: boolean;
  /** How long to wait for slow sources before compiling without them. */
  readonly slowSourceWaitMs?: number;
}

/** The result of each source and list. */
export interface RefreshResult extends CompileResult {
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
  /** Why each source was refused. */
  readonly refused: Readonly<Record<string, string>>;
  /** Optional sources that no longer exist at their addresses. */
  readonly gone: Readonly<Record<string, string>>;
}

/** One minute, plus the time for the largest file at half a megabyte per second. */
const fetchTimeoutMs = ({ maxBytes }: FeedSource): number => 60_000 + Math.ceil((2 * maxBytes) / 1024);

/** A source that failed is retried early. */
const RETRY_MS = 30 * 60_000;
const PARALLEL_FETCHES = 6;
const SLOW_SOURCE_WAIT_MS = 15_000;

/**
 * Fetches the sources that are due, several at a time, archives the good ones, and compiles everything archived that is
 * not in use yet, including data of an earlier refresh that was killed. A source that fails keeps its last good copy.
 */
export async function refreshFeeds(options: RefreshOptions): Promise<RefreshResult | 'busy'> {
  return options.archive.exclusively(async () => {
    const { sources: status } = options.archive.status();
    const due = options.sources.filter(
      (source) =>
        options.only?.includes(source.name) !== false &&
        (options.force || isDue(source, status[source.name], options.now())),
    );
    const progress: Progress = { changed: [], unchanged: [], refused: {}, gone: {} };
    const oneAtATime = createQueue();
    const compile = () => oneAtATime(() => compileWhereNeeded(options));
    const fetching = refreshAll(due, progress, options, oneAtATime);
    const firstToEnd = await Promise.race([
      fetching,
      waitForSlowSources(options.slowSourceWaitMs ?? SLOW_SOURCE_WAIT_MS),
    ]);
    const compiledEarly = firstToEnd === 'waiting' ? await compile() : undefined;
    await fetching;
    const compiledLast = await compile();
    options.archive.noteRun(null);
    const compiled = [...new Set([...(compiledEarly?.compiled ?? []), ...compiledLast.compiled])];
    return {
      ...progress,
      compiled,
      compileFailed: { ...compiledEarly?.compileFailed, ...compiledLast.compileFailed },
    };
  });
}

type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

/** Lists are fetched in parallel, but read and compiled one after another, so that only one is in memory. */
function createQueue(): OneAtATime {
  let queue: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };
}

interface Progress {
  readonly changed: string[];
  readonly unchanged: string[];
  readonly refused: Record<string, string>;
  readonly gone: Record<string, string>;
}

function waitForSlowSources(ms: number): Promise<'waiting'> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'waiting' as const).unref());
}

function isDue({ everyMs }: FeedSource, last: SourceStatus | undefined, now: number): boolean {
  if (last?.triedAt == null) return true;
  return now - last.triedAt >= (last.error === null ? everyMs : Math.min(everyMs, RETRY_MS));
}

async function refreshAll(
  due: readonly FeedSource[],
  progress: Progress,
  options: RefreshOptions,
  oneAtATime: OneAtATime,
): Promise<void> {
  const waiting = [...due];
  const fetchNext = async () => {
    for (let source = waiting.shift(); source !== undefined; source = waiting.shift())
      await refreshOne(source, progress, options, oneAtATime);
  };
  await Promise.all(Array.from({ length: PARALLEL_FETCHES }, fetchNext));
}

async function refreshOne(
  source: FeedSource,
  progress: Progress,
  options: RefreshOptions,
  oneAtATime: OneAtATime,
): Promise<void> {
  const drafts = source.urls.map((_, at) => options.archive.draft(`${source.name}.${at}`));
  try {
    const validators = await fetchAll(source, drafts, options);
    if (validators === 'unchanged') {
      noteUnchanged(source, { confirmedAt: options.now() }, options);
      progress.unchanged.push(source.name);
    } else {
      const contentAt = options.now();
      const acceptSize = options.acceptSize === true;
      const files = drafts.map((file) => ({ [Symbol.iterator]: () => linesOf(file) }));
      await oneAtATime(() => keepFeed(source, { files, contentAt, validators, acceptSize }, options));
      progress.changed.push(source.name);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const gone = source.optional && error instanceof FeedGone;
    (gone ? progress.gone : progress.refused)[source.name] = reason;
    noteFailure(source, reason, gone, options);
  } finally {
    await Promise.all(drafts.map((file) => rm(file, { force: true })));
  }
}

async function fetchAll(
  source: FeedSource,
  drafts: readonly string[],
  options: RefreshOptions,
): Promise<Record<string, FeedValidators> | 'unchanged'> {
  const kept = options.archive.source(source.name);
  const validators: Record<string, FeedValidators> = {};
  for (const [at, url] of source.urls.entries()) {
    // If a source has several files, an unchanged one is useless without the others, so all are fetched in full.
    const earlier = source.urls.length === 1 ? (kept.validators[url] ?? {}) : {};
    const answer = await options.fetch(url, earlier, {
      file: drafts[at] ?? '',
      maxBytes: source.maxBytes,
      timeoutMs: fetchTimeoutMs(source),
      allowPrivate: options.allowPrivate,
      onBytes: (received, total) =>
        options.onProgress?.({ step: 'fetch', source: source.name, received, total }),
    });
    if (!answer.changed) {
      // “Not modified” in response to an unconditional request is a server error.
      if (kept.contentAt === null) throw new Error('says that it did not change, and was never fetched');
      return 'unchanged';
    }
    validators[url] = answer.validators;
  }
  return validators;
}
