import type { DataAge, Loss } from '@postern/service/feeds/data-age';
import type { Command } from 'commander';
import { withChecks } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError } from '../failure.ts';
import { formatTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';

interface Options {
  readonly json?: true;
}

interface ListFacts extends Pick<DataAge, 'day' | 'days' | 'old'> {
  readonly list: 'domains' | 'networks';
  readonly version: string;
  readonly origin: 'bundled' | 'refreshed';
}

interface SourceFacts {
  readonly name: string;
  readonly day: string;
  readonly days: number;
  readonly entries: number;
}

interface Findings {
  readonly feeds: string;
  readonly lists: readonly ListFacts[];
  /** The sources of the domain list. */
  readonly sources: readonly SourceFacts[];
  readonly measured: readonly Loss[];
  /** What lists of a day would find of the throwaway domains in use, above what lists of this age find. */
  readonly gain: { readonly has: Loss; readonly fresh: Loss } | null;
  readonly advice: string | null;
}

export function addFeedsDoctor(parent: Command, context: CommandContext): void {
  parent
    .command('doctor')
    .summary('say what refreshing the data would gain')
    .description(
      'Shows how old the data in use is, with the age of each domain list, how much lists of that age miss, and what to do. Nothing is fetched.',
    )
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExit code: 0 if no data is old, 1 otherwise.')
    .action((options: Options) => examineData(options, context));
}

async function examineData(options: Options, context: CommandContext): Promise<void> {
  const findings = await findOut(context);
  if (options.json) printJson(context, findings);
  else printFindings(findings, context.terminal);
  const old = findings.lists.filter((one) => one.old).map(({ list }) => list);
  if (old.length > 0) throw new ExpectedError(`Old data: ${old.join(', ')}.`);
}

async function findOut(context: CommandContext): Promise<Findings> {
  const { readConfig } = await import('@postern/service/config');
  const { dataAge, daysOfSources, lossAtAge, measuredLoss } = await import('@postern/service/feeds/data-age');
  const config = readConfig(context.environment);
  const now = context.now();
  return withChecks(config, async ({ data }) => {
    const origins = data.origins();
    const versions = { domains: data.domainList().version, networks: data.ipRanges().version };
    const lists = (['domains', 'networks'] as const).flatMap((list) => {
      const age = dataAge(
        list,
        list === 'domains' ? daysOfSources(data.domainList()) : versions.networks,
        now,
      );
      return age === undefined ? [] : [{ list, version: versions[list], origin: origins[list], ...age }];
    });
    const sources = data.domainList().sources.map(({ name, date, entries }) => ({
      name,
      day: date,
      days: dataAge('domains', date, now)?.days ?? 0,
      entries,
    }));
    const measured = measuredLoss();
    const has = lossAtAge(lists.find(({ list }) => list === 'domains')?.days ?? 0);
    const [fresh] = measured;
    const isOld = lists.some(({ old }) => old);
    return {
      feeds: config.feeds,
      lists,
      sources,
      measured,
      gain: has === undefined || fresh === undefined || has === fresh ? null : { has, fresh },
      advice: isOld ? adviceFor(config.feeds) : null,
    };
  });
}

const adviceFor = (feeds: string): string =>
  feeds === 'off'
    ? 'Feeds are off. Set POSTERN_FEEDS=on; or, without internet, run postern feeds refresh and postern feeds export on another machine and postern feeds import here.'
    : 'Feeds are on, but the data is old: see postern feeds status for what went wrong, then run postern feeds refresh.';

function printFindings({ lists, sources, measured, gain, advice }: Findings, terminal: Terminal): void {
  const { out, colors } = terminal;
  const age = (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`;
  out(
    formatTable(
      lists,
      [
        { title: 'data', cell: ({ list }) => colors.bold(list) },
        { title: 'from', cell: ({ day }) => day },
        { title: 'age', cell: ({ days }) => age(days), align: 'right' },
        { title: 'state', cell: ({ old }) => (old ? colors.yellow('old') : colors.green('fresh')) },
        { title: 'origin', cell: ({ origin }) => origin },
      ],
      colors,
    ),
  );
  out('\n');
  out(
    formatTable(
      sources,
      [
        { title: 'domain list', cell: ({ name }) => colors.bold(name) },
        { title: 'from', cell: ({ day }) => day },
        { title: 'age', cell: ({ days }) => age(days), align: 'right' },
        { title: 'entries', cell: ({ entries }) => String(entries), align: 'right' },
      ],
      colors,
    ),
  );
  const shares = measured.map(({ days, share }) => `${percent(share)} at ${age(days)}`).join(', ');
  out(
    `\nOf the throwaway domains in use on a day, data of some age finds: ${shares} (measured on castle’s lists of May to July 2026, with the other lists and the rules about names).\n`,
  );
  if (gain !== null)
    out(
      `Data that is a day old would find ${percent(gain.fresh.share)}, yours about ${percent(gain.has.share)}${gain.has === measured.at(-1) ? ' or less' : ''}: refreshing gains about ${Math.round(100 * (gain.fresh.share - gain.has.share))} of 100.\n`,
    );
  if (lists.some(({ list, old }) => list === 'networks' && old))
    out(
      'How much old network data misses is not measured: VPN companies and hosts move, and addresses that they left are wrongly found.\n',
    );
  if (advice !== null) out(`${advice}\n`);
}

const percent = (share: number) => `${Math.round(100 * share)}%`;
