import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { projectJson, projectStore } from '../project-view.ts';

interface Options {
  readonly json?: true;
}

export function addProjectList(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .summary('show the projects and their usage this month')
    .option('--json', 'print one JSON document')
    .action((options: Options) => listProjects(options, context));
}

async function listProjects(options: Options, context: CommandContext): Promise<void> {
  const projects = await import('@postern/service/operations/change-project');
  await withAdministration(context, async (administration) => {
    const views = await projects.listProjects(administration);
    if (options.json) return printJson(context, views.map(projectJson));
    const { out, colors } = context.terminal;
    if (views.length > 0) out(projectStore(views, colors));
    else out(`No projects yet. Create one: ${colors.cyan('npx postern project create --name "My app"')}\n`);
  });
}
