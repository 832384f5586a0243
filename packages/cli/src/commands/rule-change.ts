import type { RuleChange } from '@postern/service/administration/rules';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { parseDuration } from '../duration.ts';
import { ruleJson, ruleTable, ruleText, warnAboutRule } from '../rule-view.ts';

interface Options {
  readonly project: string;
  readonly reason?: string;
  readonly json?: true;
}

interface UpdateOptions extends Options {
  readonly name?: string;
  readonly when?: string;
  readonly then?: string;
  readonly mode?: string;
  readonly note?: string;
  readonly message?: string;
  readonly expiresIn?: string;
}

/** `rule update`, `delete` and `move`. */
export function addRuleChanges(parent: Command, context: CommandContext): void {
  const command = (name: string, summary: string) =>
    parent
      .command(name)
      .summary(summary)
      .requiredOption('--project <id>', 'the project')
      .option('--reason <text>', 'why, for the history of the policy')
      .option('--json', 'print one JSON document');

  command('update <id>', 'change a rule')
    .option('--name <text>', 'what people call the rule')
    .option('--when <expression>', 'the condition')
    .option('--then <allow|flag|block>', 'the answer')
    .option('--mode <live|shadow>', 'a shadow rule changes no answer; it is only counted')
    .option('--note <text>', 'why the rule exists; "" removes it')
    .option('--message <text>', 'what a sign-up form shows the person; "" removes it')
    .option('--expires-in <time>', 'when it ends, such as 12h or 30d; "never" removes the end')
    .action((id: string, options: UpdateOptions) => update(id, options, context));
  command('delete <id>', 'delete a rule').action((id: string, options: Options) =>
    remove(id, options, context),
  );
  command('move <id>', 'move a rule up or down in the order')
    .option('--before <id>', 'the rule that it comes before (default: it becomes the last one)')
    .action((id: string, options: Options & { readonly before?: string }) => move(id, options, context));
}

async function update(id: string, options: UpdateOptions, context: CommandContext): Promise<void> {
  const { withReason } = await import('@postern/service/administration/administration');
  const { updateRule } = await import('@postern/service/administration/rules');
  const { name, when, note, message, expiresIn } = options;
  const change: RuleChange = {
    name,
    when,
    // As typed; the use case refuses what is unknown.
    then: options.then as RuleChange['then'],
    mode: options.mode as RuleChange['mode'],
    note: note === '' ? null : note,
    message: message === '' ? null : message,
    expiresAt: readEnd(expiresIn, context),
  };
  await withAdministration(context, async (administration) => {
    const rule = await updateRule(withReason(administration, options.reason), options.project, id, change);
    if (when !== undefined) await warnAboutRule(rule, context);
    if (options.json) return printJson(context, ruleJson(rule));
    context.terminal.out(ruleText(rule, context.terminal.colors));
  });
}

function readEnd(expiresIn: string | undefined, { now }: CommandContext): number | null | undefined {
  if (expiresIn === undefined) return undefined;
  return expiresIn === 'never' ? null : now() + parseDuration('--expires-in', expiresIn);
}

async function remove(
  id: string,
  { project, reason, json }: Options,
  context: CommandContext,
): Promise<void> {
  const { withReason } = await import('@postern/service/administration/administration');
  const { deleteRule } = await import('@postern/service/administration/rules');
  await withAdministration(context, async (administration) => {
    await deleteRule(withReason(administration, reason), project, id);
    if (json) return printJson(context, { id, deleted: true });
    context.terminal.out(`Rule ${id} is deleted.\n`);
  });
}

async function move(
  id: string,
  { project, before, reason, json }: Options & { readonly before?: string },
  context: CommandContext,
): Promise<void> {
  const { withReason } = await import('@postern/service/administration/administration');
  const { moveRule } = await import('@postern/service/administration/rules');
  await withAdministration(context, async (administration) => {
    const rules = await moveRule(withReason(administration, reason), project, id, before);
    if (json) return printJson(context, rules.map(ruleJson));
    context.terminal.out(ruleTable(rules, context.terminal.colors));
  });
}
