import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError, UsageError } from '../failure.ts';

interface Options {
  readonly json?: true;
}

export function addFeedsExport(parent: Command, context: CommandContext): void {
  parent
    .command('export <file>')
    .summary('write fetched data to a file, for a machine without internet')
    .description(
      'Writes the archived data of every source to one file. Copy it to a machine without internet access and run postern feeds import there.',
    )
    .option('--json', 'print one JSON document')
    .action((file: string, options: Options) => exportFeeds(file, options, context));
}

async function exportFeeds(file: string, options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { openFeedArchive } = await import('@postern/service/feeds/feed-archive');
  const { writeBundle } = await import('@postern/service/feeds/feed-bundle');
  const { feedsFolder } = await import('@postern/service/feeds/feed-health');
  const { readKnownSources } = await import('@postern/service/feeds/feed-source');
  const { feeds: setting, dataDir } = readConfig(context.environment);
  const archive = openFeedArchive(feedsFolder(dataDir), context.now);
  let names: readonly string[];
  try {
    names = await writeBundle(await readKnownSources(setting), archive, file);
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${error instanceof Error ? error.message : error}`);
  }
  if (names.length === 0)
    throw new ExpectedError('No data was fetched yet. Run postern feeds refresh first.');
  const { size: bytes } = await stat(file);
  if (options.json) return printJson(context, { file, bytes, sources: names });
  context.terminal.out(`Wrote ${names.length} sources to ${file}: ${names.join(', ')}.\n`);
}
