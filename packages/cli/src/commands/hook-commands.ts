import { HOOK_FORMAT_NAMES } from '@postern/contract';
import type { Config } from '@postern/service/config';
import type { Hook, IssuedHook } from '@postern/service/operations/change-hook';
import type { Command } from 'commander';
import { addressOf } from '../address-of.ts';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { isoMoment, relativeMoment } from '../moment.ts';
import { formatTable } from '../table.ts';

interface Options {
  readonly project: string;
  readonly format: string;
  readonly name?: string;
  readonly secret?: string;
  readonly json?: true;
}

const SECRET = 'the secret that the sign-in server shows; by default one is made';

/** `hook create`, `list`, `rotate` and `delete`. */
export function addHookCommands(parent: Command, context: CommandContext): void {
  const { terminal } = context;
  parent
    .command('create')
    .summary('create a hook for a sign-in server, and print its address and secret')
    .description('The secret is printed only once. The instructions say what to paste where.')
    .requiredOption('--project <id>', 'the project that the hook asks for')
    .requiredOption('--format <name>', HOOK_FORMAT_NAMES.join(', '))
    .option('--name <name>', 'display name')
    .option('--secret <text>', SECRET)
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  postern hook create --project shop --format supabase')
    .action(async ({ project: projectId, format, name, secret, json }: Options) => {
      const { createHook } = await import('@postern/service/operations/change-hook');
      await withAdministration(context, async (administration, config) => {
        const hook = await createHook(administration, { projectId, format, name, secret });
        show(context, config, hook, json);
      });
    });
  parent
    .command('list')
    .summary('show the hooks, never their secrets')
    .option('--project <id>', 'only the hooks of this project')
    .option('--json', 'print one JSON document')
    .action(async ({ project, json }: Partial<Options>) => {
      const { listHooks } = await import('@postern/service/operations/change-hook');
      await withAdministration(context, async (administration) => {
        const hooks = await listHooks(administration, project);
        if (json) return printJson(context, hooks.map(hookJson));
        terminal.out(
          hooks.length === 0
            ? 'No hooks yet. Create one: npx postern hook create --project ID --format supabase\n'
            : table(hooks, context),
        );
      });
    });
  parent
    .command('rotate <id>')
    .summary('give a hook another secret; the old one stays valid for a day')
    .option('--secret <text>', SECRET)
    .option('--json', 'print one JSON document')
    .action(async (id: string, { secret, json }: Partial<Options>) => {
      const { rotateHook } = await import('@postern/service/operations/change-hook');
      await withAdministration(context, async (administration, config) =>
        show(context, config, await rotateHook(administration, id, secret), json),
      );
    });
  parent
    .command('delete <id>')
    .summary('delete a hook; its address answers 404 from then on')
    .option('--json', 'print one JSON document')
    .action(async (id: string, { json }: Partial<Options>) => {
      const { deleteHook } = await import('@postern/service/operations/change-hook');
      await withAdministration(context, async (administration) => {
        const hook = await deleteHook(administration, id);
        if (json) return printJson(context, hookJson(hook));
        terminal.out(
          `Hook ${id} is deleted. Take its address out of the sign-in server, which refuses people else.\n`,
        );
      });
    });
}

function hookJson({ id, projectId, name, hook, createdAt, lastUsedAt }: Hook): Record<string, unknown> {
  return {
    id,
    projectId,
    format: hook.format,
    name,
    createdAt: isoMoment(createdAt),
    lastUsedAt: isoMoment(lastUsedAt),
  };
}

function show(context: CommandContext, config: Config, issued: IssuedHook, json: true | undefined): void {
  const base = addressOf(config).replace(/\/+$/, '');
  const { hook, secret, path } = issued;
  const instructions = issued.instructions(base);
  if (json) {
    const { id, ...rest } = hookJson(hook);
    printJson(context, { id, url: base + path, secret, instructions, ...rest });
    return;
  }
  const { out, colors } = context.terminal;
  out(`Hook ${colors.bold(hook.id)} of project ${colors.bold(hook.projectId)}

  address  ${colors.green(base + path)}
  secret   ${colors.green(secret)}

The secret is shown only once.

${instructions}
`);
}

function table(hooks: readonly Hook[], { now, terminal: { colors } }: CommandContext): string {
  return formatTable(
    hooks,
    [
      { title: 'id', cell: ({ id }) => colors.bold(id) },
      { title: 'project', cell: ({ projectId }) => projectId },
      { title: 'format', cell: ({ hook }) => hook.format },
      { title: 'name', cell: ({ name }) => name },
      {
        title: 'last called',
        cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : relativeMoment(lastUsedAt, now())),
      },
    ],
    colors,
  );
}
