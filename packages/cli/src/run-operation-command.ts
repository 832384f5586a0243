import { DASHBOARD_ROUTES, type RouteName } from '@postern/contract/dashboard-routes';
import type { Config } from '@postern/service/config';
import type { storeRoutes } from '@postern/service/dashboard-api/store-routes';
import type { Administration } from '@postern/service/operations/administration';
import type { Command } from 'commander';
import { withOperations } from './administration-session.ts';
import { type CommandContext, printAnswer } from './command-context.ts';
import { isoMoment, relativeMoment } from './moment.ts';
import { collect } from './project-options.ts';
import { type Column, formatFacts, formatTable } from './table.ts';

export interface CommandOption {
  readonly flags: string;
  readonly help: string;
  /** The parameter, name of the query or field of the body that gets the value; the option’s own name if absent. */
  readonly to?: string;
  readonly required?: boolean;
  readonly repeatable?: boolean;
  readonly read?: (text: string, context: CommandContext) => unknown;
}

export type Given = Readonly<Record<string, unknown>>;

/** A command that calls one operation of the dashboard’s API on the store. */
export interface OperationCommand {
  /** With its arguments, each named like a parameter of the route: `revoke <keyId>`. */
  readonly name: string;
  readonly route: keyof typeof storeRoutes & RouteName;
  readonly summary: string;
  readonly options?: readonly CommandOption[];
  readonly example?: string;
  /** The field of the answer that is printed, if it is not all of it. */
  readonly pick?: string;
  /** Of a table, if the answer is a list or has one as `rows`. */
  readonly columns?: readonly string[];
  /** Changes what was given. */
  readonly prepare?: (given: Given, admin: Administration) => Promise<Given>;
  /** What is said about the answer afterwards, on standard error. */
  readonly after?: (answer: Given, context: CommandContext, config: Config) => Promise<void>;
}

export function addOperationCommands(
  parent: Command,
  commands: readonly OperationCommand[],
  context: CommandContext,
): void {
  for (const each of commands) {
    const command = parent.command(each.name).summary(each.summary).description(`Calls ${each.route}.`);
    for (const { flags, help, required, repeatable } of each.options ?? []) {
      if (repeatable) command.option(flags, help, collect);
      else if (required) command.requiredOption(flags, help);
      else command.option(flags, help);
    }
    command.option('--json', 'print one JSON document');
    if (each.example !== undefined) command.addHelpText('after', `\nExample:\n  ${each.example}`);
    command.action((...given: unknown[]) => {
      const texts = given.slice(0, -2) as string[];
      const args = [...each.name.matchAll(/<(\w+)>/g)].map(([, name = ''], index) => [name, texts[index]]);
      const options = readOptions(each, command.opts(), context);
      return run(each, { ...options, ...Object.fromEntries(args) }, command.opts().json === true, context);
    });
  }
}

function readOptions({ options = [] }: OperationCommand, given: Given, context: CommandContext): Given {
  return Object.fromEntries(
    options.flatMap(({ flags, to, read }) => {
      const [, name = ''] = /^--([a-z-]+)/.exec(flags) ?? [];
      const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      const value = given[key];
      if (value === undefined) return [];
      return [[to ?? key, read === undefined ? value : read(String(value), context)]];
    }),
  );
}

function run(command: OperationCommand, given: Given, json: boolean, context: CommandContext): Promise<void> {
  const { route, prepare, pick, after } = command;
  const ofPath = [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const { query = [], body } = DASHBOARD_ROUTES[route];
  return withOperations(context, async (call, admin, config) => {
    const wanted = Object.entries((await prepare?.(given, admin)) ?? given);
    const isAsked = ([name]: [string, unknown]) => ofPath.includes(name) || query.includes(name);
    const asked = Object.fromEntries(wanted.filter(isAsked));
    // A project’s ID has the same name as that of a new rule.
    const fields = wanted
      .filter((field) => !isAsked(field))
      .map(([name, value]) => [name === 'ruleId' ? 'id' : name, value]);
    const ask = (id: unknown) =>
      call(
        route,
        { ...asked, id } as never,
        (body && Object.fromEntries(fields)) as never,
      ) as Promise<unknown>;
    const inAll = ofPath.includes('id') && asked.id === undefined;
    const answer = inAll
      ? (await Promise.all((await admin.store.projects.list()).map(({ id }) => ask(id)))).flat()
      : await ask(asked.id);
    const shown = pick === undefined ? answer : (answer as Given)[pick];
    if (json)
      printAnswer(
        context,
        Array.isArray(shown)
          ? shown
          : {
              ...idOf(asked, ofPath),
              ...(shown === undefined
                ? { [route.startsWith('DELETE') ? 'deleted' : 'done']: true }
                : (shown as object)),
            },
      );
    else context.terminal.out(textOf(shown, command, context));
    await after?.((answer ?? {}) as Given, context, config);
  });
}

/** What a 204 was about. */
function idOf(asked: Given, ofPath: readonly string[]): Given {
  const last = ofPath.at(-1);
  return last === undefined || last === 'id' ? {} : { id: asked[last] };
}

function textOf(answer: unknown, { columns = [] }: OperationCommand, context: CommandContext): string {
  const { colors } = context.terminal;
  if (answer === undefined) return 'Done.\n';
  if (Array.isArray(answer)) {
    const shown = columns.map(
      (name): Column<Given> => ({
        title: name.replace(/(?:At|Id)$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
        cell: (row) => textOfValue(name, row[name], context),
        ...(typeof answer[0]?.[name] === 'number' && { align: 'right' as const }),
      }),
    );
    return answer.length === 0 ? 'None yet.\n' : formatTable(answer, shown, colors);
  }
  const { key, secret = key, rows, instructions, ...fields } = answer as Given;
  const facts = Object.entries(fields)
    .filter(
      ([name, value]) =>
        value !== null &&
        value !== '' &&
        // The whole key is shown below.
        (name !== 'hint' || secret === undefined) &&
        (typeof value !== 'object' || (Array.isArray(value) && typeof value[0] === 'string')),
    )
    .map(([name, value]) => [name, textOfValue(name, value, context)] as const);
  const once = `\n  ${colors.green(String(secret))}\n\nShown only once. Keep it secret, unless it is a client key, which belongs into a page.\n`;
  const table = Array.isArray(rows) ? `\n${textOf(rows, { columns } as OperationCommand, context)}` : '';
  const steps = instructions === undefined ? '' : `\n${instructions}\n`;
  return formatFacts(facts, colors) + table + (secret === undefined ? '' : once) + steps;
}

function textOfValue(name: string, value: unknown, { now }: CommandContext): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value))
    return value.every((one) => typeof one === 'string') ? value.join(' ') : `${value.length}`;
  if (typeof value !== 'number') return String(value).replace(/\s+/g, ' ');
  if (/^(?:from|to|expiresAt)$/.test(name)) return isoMoment(value);
  if (/(?:At|Until|^at|Since)$/.test(name)) return relativeMoment(value, now());
  return String(Math.round(value * 1_000) / 1_000);
}
