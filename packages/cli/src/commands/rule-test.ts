import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import { ruleTestText } from '../rule-view.ts';

interface Options {
  readonly project: string;
  readonly when: string;
  readonly days: string;
  readonly json?: true;
}

export function addRuleTest(parent: Command, context: CommandContext): void {
  parent
    .command('test')
    .summary('show what a condition would have matched in the log')
    .description('Replays the log. Nothing is saved, and no answer changes.')
    .requiredOption('--project <id>', 'the project')
    .requiredOption('--when <expression>', 'the condition')
    .option('--days <number>', 'how many days of the log', '30')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Example:
  postern rule test --project shop --when 'device.reused && ip.kind == "hosting"' --days 90`,
    )
    .action((options: Options) => test(options, context));
}

async function test({ project, when, days, json }: Options, context: CommandContext): Promise<void> {
  if (!/^\d+$/.test(days)) throw new UsageError(`--days takes a whole number, not "${days}".`);
  const { instanceHash } = await import('@postern/service/administration/instance-hash');
  const { testRule } = await import('@postern/service/dashboard-api/test-rule');
  await withAdministration(context, async (administration) => {
    const keyedHash = await instanceHash(administration);
    const report = await testRule(administration, project, { when, days: Number(days) }, keyedHash);
    if (json) return printJson(context, report);
    context.terminal.out(ruleTestText(report, context.terminal.colors));
  });
}
