import type { FeedReport } from '@postern/service/feeds/feed-health';
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
    .description('Shows when each source was last fetched, what it gave, and what went wrong.')
    .option('--json', 'print one JSON document')
    .action((options: Options) => showStatus(options, context));
}

async function showStatus(options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { readFeedReports } = await import('@postern/service/feeds/feed-health');
  const config = readConfig(context.environment);
  const now = context.now();
  const reports = await readFeedReports(config.feeds, config.dataDir, now);
  if (options.json) return printJson(context, reports.map(reportJson));

  const { out, colors } = context.terminal;
  if (config.feeds === 'off') {
    const answers = reports.length === 0 ? 'the bundled data answers' : 'this was imported';
    out(`Feeds are off (POSTERN_FEEDS): ${answers}.\n`);
  }
  if (reports.length > 0) out(statusTable(reports, now, colors));
}

function reportJson(report: FeedReport): Record<string, unknown> {
  return { ...report, fetchedAt: isoMoment(report.fetchedAt), triedAt: isoMoment(report.triedAt) };
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
      { title: 'state', cell: ({ stale }) => (stale ? colors.yellow('stale') : colors.green('fresh')) },
      { title: 'last error', cell: ({ error }) => error ?? '' },
    ],
    colors,
  );
}
