import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { ruleJson, ruleTable, ruleText } from '../rule-view.ts';

interface Options {
  readonly project: string;
  readonly json?: true;
}

/** `rule list` and `rule show`. */
export function addRuleList(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .summary('show a project’s rules, in the order in which they are tried')
    .requiredOption('--project <id>', 'the project')
    .option('--json', 'print one JSON document')
    .action((options: Options) => list(options, context));
  parent
    .command('show <id>')
    .summary('show one rule')
    .requiredOption('--project <id>', 'the project')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Options) => show(id, options, context));
}

async function list({ project, json }: Options, context: CommandContext): Promise<void> {
  const { listRules } = await import('@postern/service/administration/rules');
  await withAdministration(context, async (administration) => {
    const rules = await listRules(administration, project);
    if (json) return printJson(context, rules.map(ruleJson));
    const { out, colors } = context.terminal;
    out(rules.length > 0 ? ruleTable(rules, colors) : 'No rules yet.\n');
  });
}

async function show(id: string, { project, json }: Options, context: CommandContext): Promise<void> {
  const { findRule, listRules } = await import('@postern/service/administration/rules');
  await withAdministration(context, async (administration) => {
    const rule = findRule({ rules: await listRules(administration, project) }, id);
    if (json) return printJson(context, ruleJson(rule));
    context.terminal.out(ruleText(rule, context.terminal.colors));
  });
}
