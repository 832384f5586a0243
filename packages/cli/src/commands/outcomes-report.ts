import { type DatedOutcomeReport, DEFAULT_REPORT_DAYS } from '@postern/service/administration/outcomes';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import { isoMoment } from '../moment.ts';
import { formatTable } from '../table.ts';
import type { Colors } from '../terminal.ts';

interface Options {
  readonly project: string;
  readonly days: string;
  readonly json?: true;
}

export function addOutcomesReport(parent: Command, context: CommandContext): void {
  parent
    .command('report')
    .summary('show how well each signal and check separates bad people from good ones')
    .description(
      'For each signal and check: how many people had it, how many of them are known to be good or bad, the share of bad ones with its 95% interval, and the lift over the share among all known people.',
    )
    .requiredOption('--project <id>', 'the project to report on')
    .option('--days <number>', 'how many days to look back', String(DEFAULT_REPORT_DAYS))
    .option('--json', 'print one JSON document')
    .action((options: Options) => report(options, context));
}

async function report(options: Options, context: CommandContext): Promise<void> {
  if (!/^\d{1,4}$/.test(options.days))
    throw new UsageError(`--days '${options.days}' is not a whole number.`);
  const { reportOutcomes } = await import('@postern/service/administration/outcomes');
  await withAdministration(context, async (administration) => {
    const found = await reportOutcomes(administration, options.project, Number(options.days));
    if (options.json)
      return printJson(context, { ...found, from: isoMoment(found.from), to: isoMoment(found.to) });
    context.terminal.out(reportText(found, context.terminal.colors));
  });
}

function reportText(report: DatedOutcomeReport, colors: Colors): string {
  const { people, known, bad, policy, days, estimated, partial } = report;
  const lines = [
    `${estimated ? 'About ' : ''}${people} people in ${days} days, ${known} of them known, ${bad} bad.`,
    `Of the bad, ${policy.badBlocked} were blocked and ${policy.badFlagged} flagged; of ${policy.good} good, ${policy.goodBlocked} were blocked and ${policy.goodFlagged} flagged.`,
    ...(estimated ? ['The log is long, so the numbers of people are estimates.'] : []),
    ...(partial ? [`More outcomes are known. The ${known} people who were seen last are counted.`] : []),
    '',
  ];
  if (known === 0)
    return `${lines.join('\n')}\nNothing is known yet. Report outcomes: POST /v1/outcomes, or postern outcomes import FILE.csv.\n`;
  const percent = (share: number | null) => (share === null ? '' : `${(share * 100).toFixed(1)}%`);
  const table = formatTable(
    report.rows,
    [
      { title: 'kind', cell: (row) => row.kind },
      { title: 'name', cell: (row) => colors.bold(row.name) },
      { title: 'people', cell: (row) => String(row.people), align: 'right' },
      { title: 'known', cell: (row) => String(row.known), align: 'right' },
      { title: 'bad', cell: (row) => String(row.bad), align: 'right' },
      { title: 'share', cell: (row) => percent(row.share), align: 'right' },
      {
        title: '95% interval',
        cell: (row) => (row.low === null ? '' : `${percent(row.low)} to ${percent(row.high)}`),
        align: 'right',
      },
      { title: 'lift', cell: (row) => row.lift?.toFixed(2) ?? '', align: 'right' },
    ],
    colors,
  );
  return `${lines.join('\n')}\n${table}`;
}
