import type { Command } from 'commander';
import { withStore } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';

interface Options {
  readonly json?: true;
}

export function addMigrate(parent: Command, context: CommandContext): void {
  parent
    .command('migrate')
    .summary('update the store’s tables')
    .description(
      'Updates the store’s tables. Every start does this too; use this command to do it before a start. If several processes try at once, one does it.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Options) => migrate(options, context));
}

async function migrate(options: Options, context: CommandContext): Promise<void> {
  // Opening a store migrates it.
  const { backEnd, place, schemaVersion } = await withStore(context, (store) => store.describe());
  if (options.json) return printJson(context, { backEnd, place, schemaVersion });
  context.terminal.out(`${place} is up to date (${backEnd}, schema ${schemaVersion}).\n`);
}
