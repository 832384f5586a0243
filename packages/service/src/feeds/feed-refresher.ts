import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { modifiedAt } from './current-data.ts';
import { type FeedList, openFeedArchive } from './feed-archive.ts';
import type { FeedProgress } from './keep-feed.ts';
import type { RefreshResult } from './refresh-feeds.ts';
import type { RefreshJob, RefreshMessage } from './refresh-job.ts';

const LOOK_EVERY_MS = 100;

/** Calls `onExceed` once when a process uses more memory than allowed. Does nothing without /proc. */
function watchMemory(
  pid: number | undefined,
  limitBytes: number,
  onExceed: (bytes: number) => void,
): { stop(): void } {
  const timer = setInterval(() => {
    const bytes = residentBytes(pid);
    if (bytes === undefined || bytes <= limitBytes) return;
    clearInterval(timer);
    onExceed(bytes);
  }, LOOK_EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}

function residentBytes(pid: number | undefined): number | undefined {
  try {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return line === null ? undefined : Number(line[1]) * 1024;
  } catch {
    return undefined;
  }
}

export interface RunOptions {
  readonly onProgress?: ((progress: FeedProgress) => void) | undefined;
  /** Ends the refresh early. The next one uses what was already fetched. */
  readonly signal?: AbortSignal;
  readonly memoryLimitBytes?: number;
}

const MEGABYTE = 1024 * 1024;
/** A little more than a refresh of all built-in sources needs; docs/scaling.md has the measurement. */
const REFRESH_MEMORY_BYTES = 200 * MEGABYTE;
/** The share of the JavaScript heap. The rest is for the runtime itself and for columns of numbers outside the heap. */
const HEAP_SHARE = 0.6;

/** Runs one refresh in its own process, and records the reason if that process fails. */
export async function runRefresh(
  job: RefreshJob,
  { onProgress, signal, memoryLimitBytes = REFRESH_MEMORY_BYTES }: RunOptions = {},
): Promise<RefreshResult | 'busy'> {
  const child = fork(fileURLToPath(new URL('./refresh-process.js', import.meta.url)), {
    execArgv: [
      `--max-old-space-size=${Math.floor((memoryLimitBytes * HEAP_SHARE) / MEGABYTE)}`,
      '--max-semi-space-size=4',
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // A process that died already is noticed below.
  child.send(job, () => {});
  let compiling: FeedList | undefined;
  const ended = await follow(child, memoryLimitBytes, signal, (progress) => {
    compiling = progress.step === 'compile' ? progress.list : compiling;
    onProgress?.(progress);
  });
  if ('result' in ended) return ended.result;
  if (signal?.aborted !== true && (ended.died || job.bundle === undefined))
    noteFailure(job.folder, ended.died ? compiling : undefined, ended.fault);
  throw new Error(ended.fault);
}

type Ended = { readonly result: RefreshResult | 'busy' } | { readonly fault: string; readonly died: boolean };

function follow(
  child: ChildProcess,
  memoryLimitBytes: number,
  signal: AbortSignal | undefined,
  onProgress: (progress: FeedProgress) => void,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    let reported: Ended | undefined;
    let exceeded: number | undefined;
    const stop = () => void child.kill('SIGKILL');
    signal?.addEventListener('abort', stop, { once: true });
    const memory = watchMemory(child.pid, memoryLimitBytes, (bytes) => {
      exceeded = bytes;
      stop();
    });
    child.on('message', (message: RefreshMessage) => {
      if ('progress' in message) onProgress(message.progress);
      else reported = 'result' in message ? message : { fault: message.fault, died: false };
    });
    child.on('error', reject);
    child.on('exit', (code, killedBy) => {
      memory.stop();
      signal?.removeEventListener('abort', stop);
      resolve(reported ?? { fault: reasonOf(code, killedBy, exceeded, memoryLimitBytes), died: true });
    });
  });
}

function reasonOf(
  code: number | null,
  killedBy: NodeJS.Signals | null,
  exceeded: number | undefined,
  limit: number,
): string {
  const megabytes = (bytes: number) => `${Math.ceil(bytes / MEGABYTE)} MB`;
  if (exceeded !== undefined)
    return `The refresh was stopped because it took ${megabytes(exceeded)} of memory, more than the ${megabytes(limit)} allowed`;
  // V8 aborts the process when its heap is full.
  if (killedBy === 'SIGABRT' || code === 134)
    return `The refresh ran out of memory within the ${megabytes(limit)} allowed`;
  if (killedBy !== null)
    return `The refresh was killed (${killedBy}); if that was the system, the machine may be short of memory`;
  return `The refresh ended with exit code ${code} and without a result`;
}

function noteFailure(folder: string, compiling: FeedList | undefined, message: string): void {
  const archive = openFeedArchive(folder, Date.now);
  try {
    if (compiling === undefined) archive.noteRun(message);
    else archive.noteCompileFailure(compiling, message, undefined);
  } catch {
    // If the disk cannot be written, the caller reports the rejection.
  }
}

/**
 * If no feeds are refreshed, imported data is compiled again when a new release has newer bundled data, or when an
 * import was killed before it compiled.
 */
export async function recompileImported(folder: string): Promise<void> {
  const bundledAt = (await modifiedAt(new URL('../data/domains.bin', import.meta.url))) ?? 0;
  const archive = openFeedArchive(folder, Date.now);
  const { sources, lists } = archive.status();
  const imported = Object.values(sources).some(({ contentAt }) => contentAt !== null);
  if (!imported) return;
  const moments = [archive.compiledAt('domains'), archive.compiledAt('networks')];
  const inUse = { ...lists.domains.contents, ...lists.networks.contents };
  const waiting = Object.entries(sources).some(
    ([name, { contentAt }]) => contentAt !== null && inUse[name] !== contentAt,
  );
  if (waiting || moments.some((moment) => moment !== undefined && moment < bundledAt))
    await runRefresh({ setting: 'off', folder, force: false, only: undefined });
}
