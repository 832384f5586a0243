import { open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError, UsageError, withoutStack } from '../failure.ts';

interface Options {
  readonly project?: string;
  readonly projects: boolean;
  readonly json?: true;
}

const WRITE_BUFFER_CHARACTERS = 256 * 1024;

export function addExport(parent: Command, context: CommandContext): void {
  parent
    .command('export <file>')
    .summary('write everything in the store as JSON Lines')
    .description(
      'Writes a consistent copy of everything in the store, embedded or PostgreSQL. `postern import` loads it into either kind. "-" writes to standard output. It contains outcomes, review decisions, alerts, and webhooks with their URLs and secrets, so that receivers accept what the other store sends. It also contains the signing keys: keep it as safe as the store.',
    )
    .option('--project <id>', 'only this project, to move it to another cell')
    .option('--no-projects', 'only secrets, signing keys and dashboard accounts, to set up another cell')
    .option('--json', 'print one JSON document about the export')
    .addHelpText(
      'after',
      `
Example, from the embedded store to PostgreSQL:
  postern export everything.jsonl
  POSTERN_DATABASE_URL=postgres://… postern import everything.jsonl

Examples with several cells (docs/scaling.md says when):
  postern export --no-projects cell.jsonl
  postern export --project shop shop.jsonl`,
    )
    .action((file: string, options: Options) => exportTo(file, options, context));
}

async function exportTo(file: string, options: Options, context: CommandContext): Promise<void> {
  if (options.project !== undefined && !options.projects)
    throw new UsageError('Use either --project or --no-projects, not both.');
  if (options.json && file === '-')
    throw new UsageError('--json describes the file that was written. With "-" there is none.');
  const { audit } = await import('@postern/service/operations/administration');
  const { exportStore } = await import('@postern/service/store/export-store');
  const part =
    options.project !== undefined ? { project: options.project } : options.projects ? undefined : 'instance';
  await withAdministration(context, async (administration) => {
    const { store } = administration;
    await audit(administration, 'data.export', options.project ?? null, { command: 'export' });
    if (file === '-') return context.terminal.outAll(exportStore(store, part));
    const path = resolve(file);
    const lines = await withoutStack(writeAtomically(path, exportStore(store, part)));
    if (options.json) return printJson(context, { file: path, lines });
    context.terminal.out(`${path}: ${lines} lines.\n`);
  });
}

/** The file gets its name only when it is complete and on disk. */
async function writeAtomically(path: string, lines: AsyncIterable<string>): Promise<number> {
  const unfinished = `${path}.unfinished-${process.pid}`;
  const handle = await open(unfinished, 'w', 0o600).catch((cause: Error) => {
    throw new ExpectedError(`${path} cannot be written: ${cause.message}`, { cause });
  });
  try {
    let count = 0;
    let text = '';
    for await (const line of lines) {
      count += 1;
      text += line;
      if (text.length < WRITE_BUFFER_CHARACTERS) continue;
      await handle.appendFile(text);
      text = '';
    }
    await handle.appendFile(text);
    await handle.sync();
    await rename(unfinished, path);
    return count;
  } finally {
    await handle.close();
    await rm(unfinished, { force: true });
  }
}
