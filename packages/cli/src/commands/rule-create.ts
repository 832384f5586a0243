import type { NewRule } from '@postern/service/administration/rules';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { parseDuration } from '../duration.ts';
import { ruleJson, ruleText } from '../rule-view.ts';

interface Options {
  readonly project: string;
  readonly name: string;
  readonly when: string;
  readonly then: string;
  readonly id?: string;
  readonly mode?: string;
  readonly before?: string;
  readonly note?: string;
  readonly message?: string;
  readonly expiresIn?: string;
  readonly reason?: string;
  readonly json?: true;
}

export function addRuleCreate(parent: Command, context: CommandContext): void {
  parent
    .command('create')
    .summary('write a rule that decides instead of the checks')
    .description(
      'Creates a rule. The first live rule whose condition is true decides, after the project’s lists and before the checks.',
    )
    .requiredOption('--project <id>', 'the project')
    .requiredOption('--name <text>', 'what people call the rule')
    .requiredOption('--when <expression>', 'the condition, in CEL; docs/rules.md lists the facts')
    .requiredOption('--then <allow|flag|block>', 'the answer')
    .option('--id <id>', 'its ID: 1 to 40 of a-z, 0-9 and _ (default: made from the name)')
    .option('--mode <live|shadow>', 'a shadow rule changes no answer; it is only counted', 'live')
    .option('--before <id>', 'the rule that it is asked before (default: it is the last one)')
    .option('--note <text>', 'why the rule exists')
    .option('--message <text>', 'what a sign-up form shows the person')
    .option('--expires-in <time>', 'when it ends, such as 12h or 30d')
    .option('--reason <text>', 'why, for the history of the policy')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  postern rule create --project shop --name "New hosting sign-ups" --when 'ip.kind == "hosting" && email.class == "free"' --then block --mode shadow
  postern rule create --project shop --name Partners --when 'inList("partners", email.domain)' --then allow`,
    )
    .action((options: Options) => create(options, context));
}

async function create(options: Options, context: CommandContext): Promise<void> {
  const { withReason } = await import('@postern/service/administration/administration');
  const { createRule } = await import('@postern/service/administration/rules');
  const { project, name, when, id, before, note, message, expiresIn } = options;
  const fields: NewRule = {
    name,
    when,
    // As typed; the use case refuses what is unknown.
    then: options.then as NewRule['then'],
    mode: options.mode as NewRule['mode'],
    id,
    before,
    ...(note !== undefined && { note }),
    ...(message !== undefined && { message }),
    ...(expiresIn !== undefined && { expiresAt: context.now() + parseDuration('--expires-in', expiresIn) }),
  };
  await withAdministration(context, async (administration) => {
    const rule = await createRule(withReason(administration, options.reason), project, fields);
    if (options.json) return printJson(context, ruleJson(rule));
    context.terminal.out(ruleText(rule, context.terminal.colors));
  });
}
