import { createReadStream, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { Command } from 'commander';
import { withStore } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError, withoutStack } from '../failure.ts';

interface Options {
  readonly json?: true;
}

export function addImport(parent: Command, context: CommandContext): void {
  parent
    .command('import <file>')
    .summary('import the output of `export` into an empty store')
    .description(
      'Imports a file that `export` wrote, from either kind of store, into the store of the current settings. It imports everything or nothing. The store must have no projects: import before the first start of the service, or start it with POSTERN_DEMO=off and restart it afterwards. An export of one project is added to the projects that are there, and the service need not restart. "-" reads standard input.',
    )
    .option('--json', 'print one JSON document')
    .action((file: string, options: Options) => importFrom(file, options, context));
}

async function importFrom(file: string, options: Options, context: CommandContext): Promise<void> {
  const { importStore } = await import('@postern/service/store/export-store');
  const { checkImportedRow } = await import('@postern/service/operations/read-rules');
  const path = resolve(file);
  if (file !== '-' && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false)
    throw new UsageError(`There is no file ${path}.`);
  const { rows, project } = await withoutStack(
    withStore(context, (store) => importStore(store, readLines(file, context.input), checkImportedRow)),
  );
  if (options.json) return printJson(context, { rows, ...(project !== undefined && { project }) });
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  if (project !== undefined)
    return context.terminal.out(
      `Imported project ${project} with ${rows.api_key} keys (${total} rows in all).\n`,
    );
  context.terminal.out(
    `Imported ${rows.project} projects and ${rows.api_key} keys (${total} rows in all).\n` +
      'If the service is running, restart it: it still uses the old secrets.\n',
  );
}

/** Opened when the first line is requested, because readline drops lines that arrive earlier. */
async function* readLines(file: string, stdin: CommandContext['input']): AsyncGenerator<string> {
  const input = file === '-' ? Readable.from(stdin) : createReadStream(file);
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}
