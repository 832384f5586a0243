import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import { andMore } from '../table.ts';

interface Options {
  readonly project: string;
  readonly json?: true;
}

export function addOutcomesImport(parent: Command, context: CommandContext): void {
  parent
    .command('import <file>')
    .summary('record outcomes from a CSV file')
    .description(
      'Reads a CSV file with the columns requestId or email, outcome (accepted, good or bad), reason and at, and records each outcome. Addresses are hashed and never stored.',
    )
    .requiredOption('--project <id>', 'the project that validated these people')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Example of a file:
  email,outcome,reason,at
  jane@example.com,good,,2026-11-01
  mallory@example.net,bad,chargeback,2026-11-03T10:00:00Z

Example:
  postern outcomes import chargebacks.csv --project shop`,
    )
    .action((file: string, options: Options) => importFile(file, options, context));
}

/** How many of the lines without a validation are printed. */
const LINES_SHOWN = 10;

async function importFile(file: string, options: Options, context: CommandContext): Promise<void> {
  const { importOutcomes, readOutcomeFile } = await import('@postern/service/operations/outcomes');
  const { findProject } = await import('@postern/service/operations/change-project');
  await withAdministration(context, async (administration, config) => {
    // Before the file is read: a wrong project is the simpler mistake to correct.
    await findProject(administration, options.project);
    const text = await readFile(file, 'utf8').catch((error: Error) => {
      throw new UsageError(`${file} cannot be read: ${error.message}`);
    });
    const outcomes = readOutcomeFile(text, context.now());
    const { recorded, unknownLines } = await importOutcomes(
      administration,
      options.project,
      outcomes,
      config.outcomeRetentionMs,
    );
    const unknown = unknownLines.length;
    const shown = unknownLines.slice(0, LINES_SHOWN);
    if (options.json)
      return printJson(context, { projectId: options.project, recorded, unknown, unknownLines: shown });
    context.terminal.out(
      `Recorded ${recorded} outcomes. ${unknown} do not match any validation of project ${options.project}${linesText(shown, unknown)}.\n`,
    );
  });
}

function linesText(shown: readonly number[], total: number): string {
  if (total === 0) return '';
  return `: ${total === 1 ? 'line' : 'lines'} ${andMore(shown, total)}`;
}
