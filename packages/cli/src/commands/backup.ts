import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { toldPlainly } from '../failure.ts';

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
  const backup = await toldPlainly(backUpStore(readConfig(context.environment), resolve(file)));
  if (options.json) return printJson(context, backup);
  context.terminal.out(`${backup.file}: ${Math.ceil(backup.sizeBytes / 1024)} KB, complete and on disk.\n`);
}
