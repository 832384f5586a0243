import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import { failUnlessAllAccepted, printFeedResult, refreshNow } from '../feed-progress.ts';

interface Options {
  readonly json?: true;
}

export function addFeedsRefresh(parent: Command, context: CommandContext): void {
  parent
    .command('refresh [source]')
    .summary('fetch fresh data now')
    .description(
      'Fetches every source, or the one named, whether it is due or not. A source that fails keeps its last good copy. A running service loads the new data automatically.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExit code: 0 if every source was refreshed and is in use, 1 otherwise. An optional source that no longer exists is a warning.',
    )
    .action((source: string | undefined, options: Options) => refresh(source, options, context));
}

async function refresh(only: string | undefined, options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { readFeedSources } = await import('@postern/service/feeds/feed-source');
  const names = (await readFeedSources(readConfig(context.environment).feeds)).map(({ name }) => name);
  if (names.length === 0)
    throw new UsageError('Feeds are off: set POSTERN_FEEDS to on, or to a file of sources.');
  if (only !== undefined && !names.includes(only)) {
    throw new UsageError(`There is no source '${only}'. The sources are: ${names.join(', ')}.`);
  }

  const result = await refreshNow(context, options, { only });
  if (options.json) printJson(context, result);
  else printFeedResult(result, context.terminal);
  failUnlessAllAccepted(result, 'could not be refreshed');
}
