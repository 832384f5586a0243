import { resolve } from 'node:path';
import type { Config } from '@postern/service/config';
import type { BackupFacts } from '@postern/service/open-store';
import type { Command } from 'commander';
import { withStore } from '../administration-session.ts';
import { addBackup as addToSeries, newestBackupAt } from '../backup-series.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { parseDuration } from '../duration.ts';
import { UsageError, withoutStack } from '../failure.ts';

interface Options {
  readonly every?: string;
  readonly keep?: string;
  readonly json?: true;
}

const DEFAULT_KEEP = 14;
const LEAST_INTERVAL_MS = 60_000;

export function addBackup(parent: Command, context: CommandContext): void {
  parent
    .command('backup <file>')
    .summary('back up the embedded store to a file while the service runs')
    .description(
      'Writes a consistent copy of the embedded store to a file that must not exist yet. The file contains the signing keys and the webhooks’ secrets: keep it as safe as the data folder.',
    )
    .option('--every <time>', 'keep running and back up into the folder <file> this often, such as 6h')
    .option(
      '--keep <number>',
      `back up into the folder <file> and keep this many (with --every: ${DEFAULT_KEEP})`,
    )
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      '\nExamples:\n  postern backup "backups/$(date +%F).db"\n  postern backup /backups --every 6h --keep 14',
    )
    .action((file: string, options: Options) => backUp(file, options, context));
}

async function backUp(file: string, options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const config = readConfig(context.environment);
  const to = resolve(file);
  if (options.every !== undefined) return backUpRegularly(to, options.every, options, context, config);
  if (options.keep !== undefined) return print(options, context, await addOne(to, options, context, config));
  print(options, context, await backUpTo(config, to));
}

async function backUpTo(config: Config, file: string): Promise<BackupFacts> {
  const { backUpStore } = await import('@postern/service/open-store');
  return withoutStack(backUpStore(config, file));
}

async function addOne(
  folder: string,
  { keep = String(DEFAULT_KEEP) }: Options,
  { now }: CommandContext,
  config: Config,
): Promise<BackupFacts> {
  if (!/^[1-9]\d{0,3}$/.test(keep)) throw new UsageError(`--keep '${keep}' is not a number from 1 to 9999.`);
  return (await addToSeries(folder, Number(keep), now(), (file) => backUpTo(config, file))).backup;
}

/** Runs until a signal ends it. A backup that fails is tried again at the next time. */
async function backUpRegularly(
  folder: string,
  every: string,
  options: Options,
  context: CommandContext,
  config: Config,
): Promise<void> {
  const everyMs = parseDuration('--every', every);
  if (everyMs < LEAST_INTERVAL_MS) throw new UsageError('--every must be at least 1m.');
  // Continue the schedule of the last run.
  let dueAt = ((await newestBackupAt(folder)) ?? Number.NEGATIVE_INFINITY) + everyMs;
  for (;;) {
    const waitMs = Math.max(0, dueAt - context.now());
    await new Promise((resolved) => setTimeout(resolved, Math.min(waitMs, LEAST_INTERVAL_MS)));
    if (context.now() < dueAt) continue;
    dueAt = context.now() + everyMs;
    try {
      print(options, context, await addOne(folder, options, context, config));
    } catch (error) {
      if (error instanceof UsageError || !(error instanceof Error) || error.name === 'NotEmbedded')
        throw error;
      context.terminal.error(`The backup failed and is tried again in ${every}: ${error.message}\n`);
    }
  }
}

function print(options: Options, context: CommandContext, backup: BackupFacts): void {
  if (options.json) printJson(context, backup);
  else
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
