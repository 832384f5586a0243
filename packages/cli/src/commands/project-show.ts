import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { projectJson, projectText } from '../project-view.ts';

interface Options {
  readonly json?: true;
}

export function addProjectShow(parent: Command, context: CommandContext): void {
  parent
    .command('show <id>')
    .summary('show a project and its usage')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Options) => showProject(id, options, context));
}

async function showProject(id: string, options: Options, context: CommandContext): Promise<void> {
  const { findProject, projectWithUsage } = await import('@postern/service/administration/projects');
  await withAdministration(context, async (administration) => {
    const view = await projectWithUsage(administration, await findProject(administration, id));
    if (options.json) return printJson(context, projectJson(view));
    context.terminal.out(projectText(view, context.terminal.colors));
  });
}
