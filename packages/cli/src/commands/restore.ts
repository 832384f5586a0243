import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError, withoutStack } from '../failure.ts';

interface Options {
  readonly yes?: true;
  readonly json?: true;
}

export function addRestore(parent: Command, context: CommandContext): void {
  parent
    .command('restore <file>')
    .summary('restore the embedded store from a backup')
    .description(
      'Replaces everything in the embedded store with the content of the backup, in one transaction. A running service continues with it, unless the store was damaged or the backup is from another installation. In both cases the command says that the service must be restarted. Changes since the backup are lost.',
    )
    .option('--yes', 'confirm; this cannot be undone')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  postern backup before.db && postern restore yesterday.db --yes')
    .action((file: string, options: Options) => restore(file, options, context));
}

async function restore(file: string, options: Options, context: CommandContext): Promise<void> {
  if (!options.yes) {
    throw new UsageError('This replaces everything in the store. Back it up first, then add --yes.');
  }
  const { readConfig } = await import('@postern/service/config');
  const { restoreStore } = await import('@postern/service/open-store');
  const from = resolve(file);
  const restored = await withoutStack(restoreStore(readConfig(context.environment), from));
  const { setAside = null, needsRestart } = restored;
  if (options.json) return printJson(context, { restored: from, setAside, needsRestart });
  const { out } = context.terminal;
  out(`The store was restored from ${from}.\n`);
  if (setAside !== null) out(`The old store was damaged and is now at ${setAside}.\n`);
  if (needsRestart)
    out('If the service is running, restart it: it cannot switch to the restored store by itself.\n');
}
