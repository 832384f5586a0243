import { resolve } from 'node:path';
import type { Command } from 'commander';
import { withStore } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError, withoutStack } from '../failure.ts';

interface Options {
  readonly json?: true;
}

export function addBackup(parent: Command, context: CommandContext): void {
  parent
    .command('backup <file>')
    .summary('back up the embedded store to a file while the service runs')
    .description(
      'Writes a consistent copy of the embedded store to a file that must not exist yet. The file contains the signing keys and the webhooks’ secrets: keep it as safe as the data folder.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  postern backup "backups/$(date +%F).db"')
    .action((file: string, options: Options) => backUp(file, options, context));
}

async function backUp(file: string, options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { backUpStore } = await import('@postern/service/open-store');
  const backup = await withoutStack(backUpStore(readConfig(context.environment), resolve(file)));
  if (options.json) return printJson(context, backup);
  context.terminal.out(`${backup.file}: ${Math.ceil(backup.sizeBytes / 1024)} KB, complete and on disk.\n`);
}

interface RestoreOptions {
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
    .action((file: string, options: RestoreOptions) => restore(file, options, context));
}

async function restore(file: string, options: RestoreOptions, context: CommandContext): Promise<void> {
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

export function addMigrate(parent: Command, context: CommandContext): void {
  parent
    .command('migrate')
    .summary('update the store’s tables')
    .description(
      'Updates the store’s tables. Every start does this too; use this command to do it before a start. If several processes try at once, one does it.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Pick<Options, 'json'>) => migrate(options, context));
}

async function migrate(options: Pick<Options, 'json'>, context: CommandContext): Promise<void> {
  // Opening a store migrates it.
  const { backEnd, place, schemaVersion } = await withStore(context, (store) => store.describe());
  if (options.json) return printJson(context, { backEnd, place, schemaVersion });
  context.terminal.out(`${place} is up to date (${backEnd}, schema ${schemaVersion}).\n`);
}
