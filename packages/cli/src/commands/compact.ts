import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { withoutStack } from '../failure.ts';

interface Options {
  readonly json?: true;
}

const MB = 1024 * 1024;
/** Measured on two busy cores: 41 MB of data in 2.8 seconds. Unused space costs little, so this is an upper limit. */
const BYTES_A_SECOND = 15 * MB;

export function addCompact(parent: Command, context: CommandContext): void {
  parent
    .command('compact')
    .summary('give the embedded store’s unused space back; the service must be stopped')
    .description(
      'Rewrites the embedded store without unused space. Needed once for a store that an earlier version created; after that, the service gives space back by itself while it runs. The service must be stopped. A large store takes minutes, and free disk space of up to twice its size.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Options) => compact(options, context));
}

async function compact(options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { compactStore } = await import('@postern/service/open-store');
  const config = readConfig(context.environment);
  // SQLite’s temporary copy belongs on the same disk as the store; /tmp is often small or in memory.
  process.env.SQLITE_TMPDIR ??= config.dataDir;
  const announce = (sizeBytes: number) => {
    const seconds = Math.ceil(sizeBytes / BYTES_A_SECOND);
    context.terminal.error(
      `Compacting ${Math.ceil(sizeBytes / MB)} MB. This may take ${seconds === 1 ? 'a second' : `${seconds} seconds`}; the service cannot start meanwhile.\n`,
    );
  };
  const { file, bytesBefore, bytesAfter } = await withoutStack(compactStore(config, announce));
  if (options.json) return printJson(context, { file, bytesBefore, bytesAfter });
  context.terminal.out(
    `${file}: ${Math.ceil(bytesAfter / MB)} MB, was ${Math.ceil(bytesBefore / MB)} MB. The service can be started again.\n`,
  );
}
