import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';

interface Options {
  readonly yes?: true;
  readonly json?: true;
}

export function addProjectDelete(parent: Command, context: CommandContext): void {
  parent
    .command('delete <id>')
    .summary('delete an archived project and its data')
    .description(
      'Deletes an archived project with its keys, log, history and statistics. Use it after the project was moved to another cell, or when its data must go. The audit log stays.',
    )
    .option('--yes', 'confirm; this cannot be undone')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Example:
  postern project update shop --archive
  postern project delete shop --yes`,
    )
    .action((id: string, options: Options) => deleteProject(id, options, context));
}

async function deleteProject(id: string, options: Options, context: CommandContext): Promise<void> {
  if (!options.yes) throw new UsageError(`Add --yes to delete ${id}; this cannot be undone.`);
  const projects = await import('@postern/service/operations/change-project');
  await withAdministration(context, (administration) => projects.deleteProject(administration, id));
  if (options.json) return printJson(context, { deleted: id });
  context.terminal.out(`Deleted project ${id}.\n`);
}
