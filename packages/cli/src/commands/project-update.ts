import type { ListEntry, Project } from '@postern/service/model/project';
import type { ProjectUpdate } from '@postern/service/operations/change-project';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import {
  addProjectOptions,
  collect,
  type ProjectOptions,
  readProjectOptions,
  warnAboutPatterns,
} from '../project-options.ts';
import { projectJson, projectText } from '../project-view.ts';

interface Options extends ProjectOptions {
  readonly addDomain?: readonly string[];
  readonly removeDomain?: readonly string[];
  readonly unlist?: readonly string[];
  readonly reason?: string;
  readonly archive?: true;
  readonly unarchive?: true;
  readonly json?: true;
}

export function addProjectUpdate(parent: Command, context: CommandContext): void {
  addProjectOptions(parent.command('update <id>'))
    .summary('change a project')
    .description('Changes the given fields and keeps the rest. The change applies from the next request on.')
    .option('--add-domain <pattern>', 'add to the allowed domains; repeatable', collect)
    .option('--remove-domain <pattern>', 'remove from the allowed domains; repeatable', collect)
    .option('--unlist <entry>', 'remove from the allow and block lists; repeatable', collect)
    .option('--reason <text>', 'why, for the audit log and the history of the policy')
    .option('--archive', 'refuse every request; the data stays')
    .option('--unarchive', 'restore an archived project')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
--allow-domain replaces the whole list; --add-domain and --remove-domain change it.

Examples:
  postern project update shop --add-domain 'https://*.example.com'
  postern project update shop --action ip=block --action roleEmail=off
  postern project update shop --always-block spam.example --unlist partner.example
  postern project update shop --quota plan`,
    )
    .action((id: string, options: Options) => updateProject(id, options, context));
}

async function updateProject(id: string, options: Options, context: CommandContext): Promise<void> {
  if (options.archive && options.unarchive)
    throw new UsageError('Use either --archive or --unarchive, not both.');
  const projects = await import('@postern/service/operations/change-project');
  const { withReason } = await import('@postern/service/operations/administration');
  const { readListValue } = await import('@postern/service/operations/project-fields');
  await withAdministration(context, async (administration) => {
    const { after } = await projects.changeProject(
      withReason(administration, options.reason),
      id,
      (current) => ({
        ...readProjectOptions(options),
        ...readDomains(options, current),
        ...readLists(options, current, readListValue),
        archived: options.archive ? true : options.unarchive ? false : undefined,
      }),
    );
    await warnAboutPatterns(context, [...(options.allowDomain ?? []), ...(options.addDomain ?? [])]);
    const view = await projects.projectWithUsage(administration, after);
    if (options.json) return printJson(context, projectJson(view));
    context.terminal.out(projectText(view, context.terminal.colors));
  });
}

function readDomains(
  { allowDomain, addDomain = [], removeDomain = [] }: Options,
  current: Project,
): Pick<ProjectUpdate, 'allowedDomains'> {
  if (allowDomain === undefined && addDomain.length + removeDomain.length === 0) return {};
  const base = allowDomain ?? current.allowedDomains;
  for (const domain of removeDomain) {
    if (!base.includes(domain)) {
      throw new UsageError(`--remove-domain '${domain}' is not in the list: ${base.join(', ') || '(empty)'}`);
    }
  }
  return { allowedDomains: [...base.filter((domain) => !removeDomain.includes(domain)), ...addDomain] };
}

function readLists(
  { alwaysAllow = [], alwaysBlock = [], unlist = [] }: Options,
  current: Project,
  normalize: (text: string) => string | undefined,
): Pick<ProjectUpdate, 'allowList' | 'blockList'> {
  if (alwaysAllow.length + alwaysBlock.length + unlist.length === 0) return {};
  const listed = new Set([...current.allowList, ...current.blockList].map(({ value }) => value));
  const gone = new Set(unlist.map((entry) => normalize(entry) ?? entry));
  for (const entry of gone) {
    if (!listed.has(entry))
      throw new UsageError(`--unlist '${entry}' is on neither the allow nor the block list.`);
  }
  const changed = (list: readonly ListEntry[], added: readonly string[]): ListEntry[] => [
    ...list.filter(({ value }) => !gone.has(value)),
    ...added.map((value) => ({ value })),
  ];
  return {
    allowList: changed(current.allowList, alwaysAllow),
    blockList: changed(current.blockList, alwaysBlock),
  };
}
