import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import { failUnlessAllAccepted, printFeedResult, refreshNow } from '../feed-progress.ts';

interface Options {
  readonly json?: true;
}

export function addFeedsImport(parent: Command, context: CommandContext): void {
  parent
    .command('import <file>')
    .summary('import a file written by postern feeds export')
    .description(
      'Imports each source that is newer in the file than here. The same safety checks as for a refresh apply. It works with POSTERN_FEEDS on or off, and a running service loads the new data automatically.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code: 0 if every source was accepted and is in use, 1 otherwise.')
    .action((file: string, options: Options) => importFeeds(file, options, context));
}

async function importFeeds(file: string, options: Options, context: CommandContext): Promise<void> {
  const bundle = resolve(file);
  await access(bundle).catch(() => {
    throw new UsageError(`Cannot read ${file}. Check the path and its permissions.`);
  });
  const result = await refreshNow(context, options, { bundle });
  if (options.json) printJson(context, result);
  else printFeedResult(result, context.terminal);
  failUnlessAllAccepted(result, 'in the file could not be accepted');
}
