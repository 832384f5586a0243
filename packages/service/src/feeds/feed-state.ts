import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type FeedList = 'domains' | 'networks';
export const FEED_LISTS: readonly FeedList[] = ['domains', 'networks'];

/** The results of the last attempts at a source. Times are milliseconds since 1970. */
export interface SourceStatus {
  readonly name: string;
  readonly triedAt: number | null;
  /** Identifies the last accepted content by its fetch time. `ListStatus` says whether it is in use. */
  readonly contentAt: number | null;
  /** When the source last confirmed that this content is its newest. */
  readonly confirmedAt: number | null;
  readonly entries: number;
  /** Why the last attempt failed. `null` if it succeeded. */
  readonly error: string | null;
  /** The number of failed attempts in a row, and when the first one was. */
  readonly failures: number;
  readonly failingSince: number | null;
  /** The server says that the file no longer exists. */
  readonly gone: boolean;
}

export interface Failure {
  readonly since: number;
  readonly at: number;
  readonly message: string;
  /** How often in a row. */
  readonly times: number;
}

/** Which content of each source, by `contentAt`. */
export type Contents = Readonly<Record<string, number>>;

/** What the compiled file of a list holds, and how the last compilation went. */
export interface ListStatus {
  readonly compiledAt: number | null;
  readonly contents: Contents;
  readonly durationMs: number | null;
  readonly peakMemoryBytes: number | null;
  readonly failure: (Failure & { readonly contents: Contents }) | null;
}

export interface FeedStatus {
  readonly sources: Readonly<Record<string, SourceStatus>>;
  readonly lists: Readonly<Record<FeedList, ListStatus>>;
  /** Why the last refresh ended early, other than while compiling. */
  readonly run: Failure | null;
}

export interface FeedState {
  status(): Promise<FeedStatus>;
  writeSource(status: SourceStatus): Promise<void>;
  noteCompiled(list: FeedList, compiled: Omit<ListStatus, 'failure'>): Promise<void>;
  noteCompileFailure(list: FeedList, message: string, contents: Contents | undefined): Promise<void>;
  /** `null` if the last refresh finished. */
  noteRun(message: string | null): Promise<void>;
}

const FILE = 'status.json';
const NEVER_COMPILED: ListStatus = {
  compiledAt: null,
  contents: {},
  durationMs: null,
  peakMemoryBytes: null,
  failure: null,
};

export function openFeedState(
  folder: string,
  now: () => number,
  replace: (name: string, bytes: Uint8Array) => Promise<void>,
): FeedState {
  /** Updates are serialised, because sources are fetched in parallel. */
  let changing: Promise<void> = Promise.resolve();
  const change = (apply: (status: FeedStatus) => FeedStatus): Promise<void> => {
    const changed = changing.then(async () => {
      const next = apply(await readStatus(folder));
      await replace(FILE, Buffer.from(JSON.stringify({ format: 2, ...next }, null, 1)));
    });
    changing = changed.catch(() => {});
    return changed;
  };
  const changeList = (list: FeedList, apply: (last: ListStatus) => ListStatus) =>
    change((status) => ({ ...status, lists: { ...status.lists, [list]: apply(status.lists[list]) } }));

  return {
    status: () => readStatus(folder),
    writeSource: (source) =>
      change((status) => ({ ...status, sources: { ...status.sources, [source.name]: source } })),
    noteCompiled: (list, compiled) => changeList(list, () => ({ ...compiled, failure: null })),
    noteCompileFailure: (list, message, contents) =>
      changeList(list, (last) => ({
        ...last,
        failure: {
          ...nextFailure(last.failure, message, now()),
          contents: contents ?? last.failure?.contents ?? {},
        },
      })),
    noteRun: (message) =>
      change((status) => ({
        ...status,
        run: message === null ? null : nextFailure(status.run, message, now()),
      })),
  };
}

function nextFailure(last: Failure | null, message: string, at: number): Failure {
  return { since: last?.since ?? at, at, message, times: (last?.times ?? 0) + 1 };
}

async function readStatus(folder: string): Promise<FeedStatus> {
  let kept: Partial<FeedStatus> & { readonly format?: number } = {};
  try {
    kept = JSON.parse(await readFile(join(folder, FILE), 'utf8')) as typeof kept;
  } catch {
    // Nothing was refreshed yet, or the file is damaged. In both cases the next refresh compares with the archive.
  }
  const { sources = {}, lists, run = null } = kept.format === 2 ? kept : {};
  return {
    sources,
    lists: { domains: lists?.domains ?? NEVER_COMPILED, networks: lists?.networks ?? NEVER_COMPILED },
    run,
  };
}
