import type { FeedProgress, RefreshResult } from '@postern/service/feeds/refresh-feeds';
import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { Fault, UsageFault } from '../failure.ts';
import type { Terminal } from '../terminal.ts';

interface Options {
  readonly json?: true;
}

export function addFeedsRefresh(parent: Command, context: CommandContext): void {
  parent
    .command('refresh [source]')
    .summary('fetch fresh data now')
    .description(
      'Fetches every source, or the one named, whether it is due or not. A source that fails leaves its last good copy. A running service takes the new data up by itself.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code: 0 when every source answered well, 1 otherwise.')
    .action((source: string | undefined, options: Options) => refresh(source, options, context));
}

async function refresh(only: string | undefined, options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { feedsFolder } = await import('@postern/service/feeds/feed-health');
  const { readFeedSources } = await import('@postern/service/feeds/feed-source');
  const { runRefresh } = await import('@postern/service/feeds/feed-refresher');
  const { feeds: setting, dataDir } = readConfig(context.environment);
  const known = (await readFeedSources(setting)).map(({ name }) => name);
  if (known.length === 0)
    throw new UsageFault('Feeds are off: set POSTERN_FEEDS to on, or to a file of sources.');
  if (only !== undefined && !known.includes(only)) {
    throw new UsageFault(`There is no source '${only}'. Those there are: ${known.join(', ')}.`);
  }

  const { terminal } = context;
  const job = { setting, folder: feedsFolder(dataDir), force: true, only };
  const result = await runRefresh(job, options.json ? undefined : (progress) => tell(progress, terminal));
  if (result === 'busy') throw new Fault('Another process is refreshing right now; try again in a minute.');
  if (options.json) printJson(context, result);
  const refused = Object.keys(result.refused).length;
  if (!options.json) terminal.out(summary(result));
  if (refused > 0) throw new Fault(`${refused} of ${known.length} sources could not be refreshed.`);
}

/** A line for each source; while one is fetched, people see how far it is. */
function tell(progress: FeedProgress, { error, colors, interactive }: Terminal): void {
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

function summary({ changed, unchanged, refused }: RefreshResult): string {
  return `${changed.length} changed, ${unchanged.length} unchanged, ${Object.keys(refused).length} refused.\n`;
}
