import { isRulePreset, RULE_PRESETS, type RulePreset } from '@postern/contract/rule-presets';
import type { NewRule } from '@postern/service/administration/rules';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { parseDuration } from '../duration.ts';
import { UsageError } from '../failure.ts';
import { ruleJson, ruleText, warnAboutRule } from '../rule-view.ts';

interface Options {
  readonly project: string;
  readonly preset?: string;
  readonly name?: string;
  readonly when?: string;
  readonly then?: string;
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
    .option('--preset <id>', 'begin with a ready-made rule; docs/rules.md lists them')
    .option('--name <text>', 'what people call the rule (required without --preset)')
    .option(
      '--when <expression>',
      'the condition, in CEL; docs/rules.md lists the facts (required without --preset)',
    )
    .option('--then <allow|flag|block>', 'the answer (required without --preset)')
    .option('--id <id>', 'its ID: 1 to 40 of a-z, 0-9 and _ (default: made from the name)')
    .option(
      '--mode <live|shadow>',
      'a shadow rule changes no answer; it is only counted (default: live; with --preset shadow)',
    )
    .option('--before <id>', 'the rule that it comes before (default: it is the last one)')
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
  postern rule create --project shop --name Partners --when 'inList("partners", email.domain)' --then allow
  postern rule create --project shop --preset bots_automated`,
    )
    .action((options: Options) => create(options, context));
}

function presetOf(id: string | undefined): RulePreset | undefined {
  if (id === undefined) return undefined;
  if (isRulePreset(id)) return RULE_PRESETS[id];
  throw new UsageError(`There is no ready-made rule "${id}". docs/rules.md lists them.`);
}

function required(option: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new UsageError(`${option} is missing. Give it, or begin with --preset.`);
}

async function create(options: Options, context: CommandContext): Promise<void> {
  const { withReason } = await import('@postern/service/administration/administration');
  const { createRule } = await import('@postern/service/administration/rules');
  const { project, before, message, expiresIn } = options;
  const preset = presetOf(options.preset);
  const note = options.note ?? preset?.reason;
  const fields: NewRule = {
    name: required('--name', options.name ?? preset?.name),
    when: required('--when', options.when ?? preset?.when),
    // As typed; the use case refuses what is unknown.
    then: required('--then', options.then ?? preset?.then) as NewRule['then'],
    mode: (options.mode ?? (preset === undefined ? 'live' : 'shadow')) as NewRule['mode'],
    id: options.id ?? options.preset,
    before,
    ...(note !== undefined && { note }),
    ...(message !== undefined && { message }),
    ...(expiresIn !== undefined && { expiresAt: context.now() + parseDuration('--expires-in', expiresIn) }),
  };
  await withAdministration(context, async (administration) => {
    const rule = await createRule(withReason(administration, options.reason), project, fields);
    await warnAboutRule(rule, context);
    if (options.json) return printJson(context, ruleJson(rule));
    context.terminal.out(ruleText(rule, context.terminal.colors));
  });
}
