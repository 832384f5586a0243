import type { RuleProposals } from '@postern/service/administration/propose-rules';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { formatTable } from '../table.ts';
import type { Colors } from '../terminal.ts';

interface Options {
  readonly project: string;
  readonly json?: true;
}

export function addRulePropose(parent: Command, context: CommandContext): void {
  parent
    .command('propose')
    .summary('look for rules that single out bad people')
    .description(
      'Looks for rules with one or two conditions among the people whose outcome is known: finds them on the older 70% and confirms them on the newer 30%. Nothing is saved.',
    )
    .requiredOption('--project <id>', 'the project')
    .option('--json', 'print one JSON document')
    .action((options: Options) => propose(options, context));
}

async function propose({ project, json }: Options, context: CommandContext): Promise<void> {
  const { proposeRules } = await import('@postern/service/administration/propose-rules');
  await withAdministration(context, async (administration) => {
    const found = await proposeRules(administration, project);
    if (json) return printJson(context, found);
    context.terminal.out(proposalsText(found, context.terminal.colors));
  });
}

function proposalsText({ proposals, known, bad, good }: RuleProposals, colors: Colors): string {
  const people = `${known} people with a known outcome: ${bad} bad, ${good} good.\n`;
  if (proposals.length === 0) return `${people}No rule is certain enough to propose.\n`;
  const table = formatTable(
    proposals,
    [
      { title: 'when', cell: ({ when }) => colors.bold(when) },
      { title: 'newer people', cell: ({ newer }) => `${newer.bad} of ${newer.people} bad` },
      { title: 'at least', cell: ({ newer }) => `${Math.floor(newer.low * 100)}% bad` },
      { title: 'of all', cell: (proposal) => `${proposal.bad} bad, ${proposal.good} good` },
    ],
    colors,
  );
  return `${people}\n${table}`;
}
