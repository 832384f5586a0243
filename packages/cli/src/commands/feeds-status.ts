import type { Failure } from '@postern/service/feeds/feed-archive';
import type { FeedReport, FeedReports } from '@postern/service/feeds/feed-health';
import type { Command } from 'commander';
import { type CommandContext, printJson } from '../command-context.ts';
import { isoMoment, relativeMoment } from '../moment.ts';
import { formatTable } from '../table.ts';
import type { Colors } from '../terminal.ts';

interface Options {
  readonly json?: true;
}

export function addFeedsStatus(parent: Command, context: CommandContext): void {
  parent
    .command('status')
    .summary('show the age of each source’s data')
    .description(
      'For each source, shows how old its data is, what went wrong and since when, and whether newer data is waiting to be compiled.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Options) => showStatus(options, context));
}

async function showStatus(options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { readFeedReports } = await import('@postern/service/feeds/feed-health');
  const config = readConfig(context.environment);
  const now = context.now();
  const reports = await readFeedReports(config.feeds, config.dataDir, now);
  if (options.json) return printJson(context, reportsJson(reports));

  const { out, colors } = context.terminal;
  if (config.feeds === 'off') {
    const answers = reports.sources.length === 0 ? 'the bundled data is used' : 'imported data is used';
    out(`Feeds are off (POSTERN_FEEDS): ${answers}.\n`);
  }
  if (reports.sources.length > 0) out(statusTable(reports.sources, now, colors));
  for (const fault of faultLines(reports, now)) out(`${colors.red(fault)}\n`);
}

/** A row for each source. A failure of the whole refresh is shown in every row. */
function reportsJson({ sources, lists, run }: FeedReports): Record<string, unknown>[] {
  const failureOf = (list: string) => lists.find((one) => one.list === list)?.failure ?? null;
  return sources.map((report) => ({
    ...report,
    fetchedAt: isoMoment(report.fetchedAt),
    triedAt: isoMoment(report.triedAt),
    failingSince: isoMoment(report.failingSince),
    compileFailure: failureJson(failureOf(report.list)),
    refreshFailure: failureJson(run),
  }));
}

function failureJson(failure: Failure | null): Record<string, unknown> | null {
  if (failure === null) return null;
  return { since: isoMoment(failure.since), message: failure.message, times: failure.times };
}

function faultLines({ lists, run }: FeedReports, now: number): string[] {
  const lines = lists.flatMap(({ list, failure }) =>
    failure === null
      ? []
      : [`Compiling ${list} has failed since ${relativeMoment(failure.since, now)}: ${failure.message}`],
  );
  return run === null
    ? lines
    : [...lines, `Refreshing has failed since ${relativeMoment(run.since, now)}: ${run.message}`];
}

function statusTable(reports: readonly FeedReport[], now: number, colors: Colors): string {
  return formatTable(
    reports,
    [
      { title: 'source', cell: ({ name }) => colors.bold(name) },
      { title: 'list', cell: ({ list }) => list },
      { title: 'entries', cell: ({ entries }) => String(entries), align: 'right' },
      {
        title: 'fetched',
        cell: ({ fetchedAt }) => (fetchedAt === null ? 'never' : relativeMoment(fetchedAt, now)),
      },
      { title: 'state', cell: (report) => stateOf(report, colors) },
      { title: 'last error', cell: (report) => errorOf(report, now) },
    ],
    colors,
  );
}

function stateOf({ gone, waiting, stale }: FeedReport, colors: Colors): string {
  if (gone) return colors.yellow('gone');
  if (waiting) return colors.yellow('not compiled');
  return stale ? colors.yellow('stale') : colors.green('fresh');
}

function errorOf({ error, failingSince }: FeedReport, now: number): string {
  if (error === null) return '';
  return failingSince === null ? error : `${error} (first ${relativeMoment(failingSince, now)})`;
}
