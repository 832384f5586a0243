import type { FeedProgress } from '@postern/service/feeds/keep-feed';
import type { RefreshResult } from '@postern/service/feeds/refresh-feeds';
import type { CommandContext } from './command-context.ts';
import { ExpectedError, withoutStack } from './failure.ts';
import type { Terminal } from './terminal.ts';

interface FeedJob {
  readonly only?: string | undefined;
  readonly acceptSize?: boolean;
  /** A file to import from, instead of fetching. */
  readonly bundle?: string;
}

/** Refreshes sources whether they are due or not, and shows the progress unless the output is JSON. */
export async function refreshNow(
  { environment, terminal }: CommandContext,
  { json }: { readonly json?: true },
  { only, ...job }: FeedJob,
): Promise<RefreshResult> {
  const { readConfig } = await import('@postern/service/config');
  const { feedsFolder } = await import('@postern/service/feeds/feed-health');
  const { runRefresh } = await import('@postern/service/feeds/feed-refresher');
  const { feeds: setting, dataDir, proxy } = readConfig(environment);
  const result = await withoutStack(
    runRefresh(
      { setting, folder: feedsFolder(dataDir), force: true, only, proxy, ...job },
      { onProgress: json ? undefined : (progress) => printFeedProgress(progress, terminal) },
    ),
  );
  if (result === 'busy')
    throw new ExpectedError('Another process is refreshing right now; try again in a minute.');
  return result;
}

/** A line for each source, with a progress bar while it is fetched. */
function printFeedProgress(progress: FeedProgress, { error, colors, interactive }: Terminal): void {
  const rewrite = interactive ? '\r\u001b[K' : '';
  if (progress.step === 'fetch') {
    if (!interactive) return;
    const of = progress.total === undefined ? '' : ` of ${kilobytes(progress.total)}`;
    error(`${rewrite}${progress.source}: ${kilobytes(progress.received)}${of}`);
  } else if (progress.step === 'compile') {
    error(`${rewrite}Compiling ${progress.list}…\n`);
  } else if (progress.step === 'damaged') {
    error(`${rewrite}${colors.yellow(progress.message)}\n`);
  } else if (progress.result === 'gone') {
    error(`${rewrite}${progress.source}: ${colors.yellow('warning')}: ${progress.error}\n`);
  } else if (progress.result === 'refused') {
    error(`${rewrite}${progress.source}: ${colors.red('refused')}: ${progress.error}\n`);
  } else {
    error(`${rewrite}${progress.source}: ${colors.green(progress.result)}, ${progress.entries} entries\n`);
  }
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`;
}

export function printFeedResult(
  { changed, unchanged, refused, gone, compileFailed }: RefreshResult,
  { out, error, colors }: Terminal,
): void {
  for (const [source, reason] of Object.entries(refused)) {
    if (reason.startsWith('is not a source')) error(`${source}: ${colors.red('refused')}: ${reason}\n`);
  }
  for (const [list, reason] of Object.entries(compileFailed))
    error(`${list}: ${colors.red('not compiled')}: ${reason}\n`);
  const missing = Object.keys(gone).length;
  const warning = missing === 0 ? '' : `, ${missing} no longer published`;
  out(
    `${changed.length} changed, ${unchanged.length} unchanged, ${Object.keys(refused).length} refused${warning}.\n`,
  );
}

/** Throws, so that the exit code is 1, unless every source was accepted and every list is in use. */
export function failUnlessAllAccepted({ refused, compileFailed }: RefreshResult, what: string): void {
  const lists = Object.keys(compileFailed);
  if (lists.length > 0)
    throw new ExpectedError(`${lists.join(' and ')} could not be compiled; the last good data stays in use.`);
  const count = Object.keys(refused).length;
  if (count > 0) throw new ExpectedError(`${count} ${count === 1 ? 'source' : 'sources'} ${what}.`);
}
