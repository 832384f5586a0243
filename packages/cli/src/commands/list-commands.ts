import type { ListEntry, NamedLists } from '@postern/contract/project-fields';
import type { Administration } from '@postern/service/administration/administration';
import type { Project } from '@postern/service/model/project';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { parseDuration } from '../duration.ts';
import { isoMoment } from '../moment.ts';
import { formatTable } from '../table.ts';

interface Options {
  readonly project: string;
  readonly json?: true;
}

interface AddOptions extends Options {
  readonly note?: string;
  readonly expiresIn?: string;
}

/** The two lists that decide; any other name is a list for rules. */
const OWN = { allow: 'allowList', block: 'blockList' } as const;

const isOwn = (name: string): name is keyof typeof OWN => Object.hasOwn(OWN, name);

/** `list list`, `show`, `create`, `add`, `remove` and `delete`. */
export function addListCommands(parent: Command, context: CommandContext): void {
  const command = (name: string, summary: string) =>
    parent
      .command(name)
      .summary(summary)
      .requiredOption('--project <id>', 'the project')
      .option('--json', 'print one JSON document');

  command('list', 'show a project’s lists').action((options: Options) => list(options, context));
  command('show <name>', 'show the entries of a list; allow and block are the lists that decide').action(
    (name: string, options: Options) => run(name, options, context, async () => {}),
  );
  command('create <name>', 'make a list that rules can name with inList').action(
    (name: string, options: Options) =>
      run(name, options, context, async (admin, { createNamedList }) => {
        await createNamedList(admin, options.project, name);
      }),
  );
  command('add <name> <entries...>', 'add entries to a list')
    .option('--note <text>', 'why')
    .option('--expires-in <time>', 'when they end, such as 12h or 30d')
    .addHelpText(
      'after',
      `
An entry is an address, a domain, an IP address, a range, AS64500, country:DE, device:HASH or person:HASH.

Examples:
  postern list add block AS64500 --project shop --expires-in 24h
  postern list add partners example.com example.org --project shop`,
    )
    .action((name: string, values: string[], options: AddOptions) => add(name, values, options, context));
  command('remove <name> <entries...>', 'remove entries from a list').action(
    (name: string, values: string[], options: Options) =>
      run(name, options, context, async (admin, { changeNamedList }) => {
        if (!isOwn(name)) await changeNamedList(admin, options.project, name, { remove: values });
        else
          await changeOwn(
            admin,
            options,
            values.map((value) => ({ list: OWN[name], remove: value })),
          );
      }),
  );
  command('delete <name>', 'delete a list that no rule names').action((name: string, options: Options) =>
    remove(name, options, context),
  );
}

type NamedListUse = typeof import('@postern/service/administration/named-lists');

/** Does the work, and prints the list as it is afterwards. */
async function run(
  name: string,
  { project: id, json }: Options,
  context: CommandContext,
  work: (admin: Administration, use: NamedListUse) => Promise<void>,
): Promise<void> {
  const use = await import('@postern/service/administration/named-lists');
  const { findProject } = await import('@postern/service/administration/projects');
  await withAdministration(context, async (admin) => {
    await work(admin, use);
    const project = await findProject(admin, id);
    const entries = isOwn(name) ? project[OWN[name]] : use.entriesOf(project.namedLists, name);
    if (json) return printJson(context, { name, entries: entries.map(entryJson) });
    context.terminal.out(entries.length === 0 ? 'The list is empty.\n' : entryTable(entries, context));
  });
}

async function add(
  name: string,
  values: readonly string[],
  options: AddOptions,
  context: CommandContext,
): Promise<void> {
  const { note, expiresIn } = options;
  const entries: ListEntry[] = values.map((value) => ({
    value,
    ...(note !== undefined && { note }),
    ...(expiresIn !== undefined && { expiresAt: context.now() + parseDuration('--expires-in', expiresIn) }),
  }));
  await run(name, options, context, async (admin, { changeNamedList }) => {
    if (!isOwn(name)) await changeNamedList(admin, options.project, name, { add: entries });
    else
      await changeOwn(
        admin,
        options,
        entries.map((entry) => ({ list: OWN[name], add: entry })),
      );
  });
}

type Changes = Parameters<typeof import('@postern/service/administration/list-changes')['changeLists']>[2];

async function changeOwn(admin: Administration, { project }: Options, changes: Changes): Promise<void> {
  const { changeLists } = await import('@postern/service/administration/list-changes');
  await changeLists(admin, project, changes);
}

async function remove(name: string, { project, json }: Options, context: CommandContext): Promise<void> {
  const { deleteNamedList } = await import('@postern/service/administration/named-lists');
  await withAdministration(context, async (admin) => {
    await deleteNamedList(admin, project, name);
    if (json) return printJson(context, { name, deleted: true });
    context.terminal.out(`List ${name} is deleted.\n`);
  });
}

async function list({ project: id, json }: Options, context: CommandContext): Promise<void> {
  const { findProject } = await import('@postern/service/administration/projects');
  await withAdministration(context, async (admin) => {
    const lists = Object.entries(listsOf(await findProject(admin, id)));
    if (json)
      return printJson(
        context,
        lists.map(([name, entries]) => ({ name, entries: entries.length })),
      );
    const { out, colors } = context.terminal;
    out(
      formatTable(
        lists,
        [
          { title: 'name', cell: ([name]) => colors.bold(name) },
          { title: 'entries', cell: ([, entries]) => String(entries.length), align: 'right' },
        ],
        colors,
      ),
    );
  });
}

function listsOf({ allowList, blockList, namedLists }: Project): NamedLists {
  return { allow: allowList, block: blockList, ...namedLists };
}

function entryJson(entry: ListEntry): Record<string, unknown> {
  return { ...entry, ...(entry.expiresAt !== undefined && { expiresAt: isoMoment(entry.expiresAt) }) };
}

function entryTable(entries: readonly ListEntry[], { terminal }: CommandContext): string {
  return formatTable(
    entries,
    [
      { title: 'entry', cell: ({ value }) => value },
      { title: 'until', cell: ({ expiresAt }) => (expiresAt === undefined ? '' : isoMoment(expiresAt)) },
      { title: 'note', cell: ({ note }) => note ?? '' },
      { title: 'by', cell: ({ author }) => author ?? '' },
    ],
    terminal.colors,
  );
}
