import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import {
  addProjectOptions,
  type ProjectOptions,
  readProjectOptions,
  warnAboutPatterns,
} from '../project-options.ts';
import { projectJson, projectStore, projectText } from '../project-view.ts';

interface CreateOptions extends ProjectOptions {
  readonly id?: string;
  readonly json?: true;
}

export function addProjectCreate(parent: Command, context: CommandContext): void {
  addProjectOptions(parent.command('create'))
    .summary('create a project')
    .description(
      'Creates a project. Without --allow-domain it allows localhost:*, so that a first try works.',
    )
    .option('--id <id>', 'letters, digits, - and _; derived from the name by default')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  postern project create --name "Web shop" --allow-domain example.com --allow-domain '*.example.com'
  postern project create --id shop --plan pro --rate-client 2000 --action ip=block --json

Patterns of --allow-domain:
  example.com        http or https, default port      localhost:3000     with a port
  *.example.com      any subdomain, not the apex      localhost:*        any port
  https://a.example  one scheme only                  app://com.example  a mobile app

A star right under a public suffix (*.com) is refused because it would let in anyone.`,
    )
    .action((options: CreateOptions) => createProject(options, context));
}

async function createProject(options: CreateOptions, context: CommandContext): Promise<void> {
  const projects = await import('@postern/service/operations/change-project');
  await withAdministration(context, async (administration) => {
    const project = await projects.createProject(administration, {
      ...readProjectOptions(options),
      id: options.id,
      ...(options.alwaysAllow && { allowList: options.alwaysAllow.map((value) => ({ value })) }),
      ...(options.alwaysBlock && { blockList: options.alwaysBlock.map((value) => ({ value })) }),
    });
    await warnAboutPatterns(context, options.allowDomain);
    const view = await projects.projectWithUsage(administration, project);
    if (options.json) return printJson(context, projectJson(view));
    const { out, colors } = context.terminal;
    out(projectText(view, colors));
    out(`\nNext, a key: ${colors.cyan(`npx postern key create --project ${project.id} --type server`)}\n`);
  });
}

export function addProjectList(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .summary('show the projects and their usage this month')
    .option('--json', 'print one JSON document')
    .action((options: Pick<DeleteOptions, 'json'>) => listProjects(options, context));
}

async function listProjects(options: Pick<DeleteOptions, 'json'>, context: CommandContext): Promise<void> {
  const projects = await import('@postern/service/operations/change-project');
  await withAdministration(context, async (administration) => {
    const views = await projects.listProjects(administration);
    if (options.json) return printJson(context, views.map(projectJson));
    const { out, colors } = context.terminal;
    if (views.length > 0) out(projectStore(views, colors));
    else out(`No projects yet. Create one: ${colors.cyan('npx postern project create --name "My app"')}\n`);
  });
}

interface DeleteOptions {
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
    .action((id: string, options: DeleteOptions) => deleteProject(id, options, context));
}

async function deleteProject(id: string, options: DeleteOptions, context: CommandContext): Promise<void> {
  if (!options.yes) throw new UsageError(`Add --yes to delete ${id}; this cannot be undone.`);
  const projects = await import('@postern/service/operations/change-project');
  await withAdministration(context, (administration) => projects.deleteProject(administration, id));
  if (options.json) return printJson(context, { deleted: id });
  context.terminal.out(`Deleted project ${id}.\n`);
}
