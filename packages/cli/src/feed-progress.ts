import type { FeedProgress, RefreshResult } from '@postern/service/feeds/keep-feed';
import type { Terminal } from './terminal.ts';

/** A line for each source; while one is fetched, people see how far it is. */
export function tellFeedProgress(progress: FeedProgress, { error, colors, interactive }: Terminal): void {
  const rewrite = interactive ? '\r\u001b[K' : '';
  if (progress.step === 'fetch') {
    if (!interactive) return;
    const of = progress.total === undefined ? '' : ` of ${kilobytes(progress.total)}`;
    error(`${rewrite}${progress.source}: ${kilobytes(progress.received)}${of}`);
  } else if (progress.step === 'compile') {
    error(`${rewrite}Compiling ${progress.list}…\n`);
  } else if (progress.result === 'refused') {
    error(`${rewrite}${progress.source}: ${colors.red('refused')}: ${progress.error}\n`);
  } else {
    error(`${rewrite}${progress.source}: ${colors.green(progress.result)}, ${progress.entries} entries\n`);
  }
}

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024)} KB`;
}

export function tellFeedResult(
  { changed, unchanged, refused }: RefreshResult,
  { out, error, colors }: Terminal,
): void {
  for (const [source, reason] of Object.entries(refused)) {
    if (reason.startsWith('is no source')) error(`${source}: ${colors.red('refused')}: ${reason}\n`);
  }
  out(`${changed.length} changed, ${unchanged.length} unchanged, ${Object.keys(refused).length} refused.\n`);
}
