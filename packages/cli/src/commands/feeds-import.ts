import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError, UsageError, withoutStack } from '../failure.ts';
import { failUnlessAllAccepted, printFeedProgress, printFeedResult } from '../feed-progress.ts';

interface Options {
  readonly json?: true;
}

export function addFeedsImport(parent: Command, context: CommandContext): void {
  parent
    .command('import <file>')
    .summary('import a file written by postern feeds export')
    .description(
      'Imports each source that is newer in the file than here. The same safety checks as for a refresh apply. It works with POSTERN_FEEDS on or off, and a running service loads the new data by itself.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code: 0 if every source was accepted and is in use, 1 otherwise.')
    .action((file: string, options: Options) => importFeeds(file, options, context));
}

async function importFeeds(file: string, options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { feedsFolder } = await import('@postern/service/feeds/feed-health');
  const { runRefresh } = await import('@postern/service/feeds/feed-refresher');
  const { feeds: setting, dataDir } = readConfig(context.environment);
  const bundle = resolve(file);
  await access(bundle).catch(() => {
    throw new UsageError(`Cannot read ${file}. Check the path and its permissions.`);
  });
  const { terminal } = context;
  const job = { setting, folder: feedsFolder(dataDir), force: true, only: undefined, bundle };
  const result = await withoutStack(
    runRefresh(job, {
      onProgress: options.json ? undefined : (progress) => printFeedProgress(progress, terminal),
    }),
  );
  if (result === 'busy')
    throw new ExpectedError('Another process is refreshing right now; try again in a minute.');
  if (options.json) printJson(context, result);
  else printFeedResult(result, terminal);
  failUnlessAllAccepted(result, 'in the file could not be accepted');
}
