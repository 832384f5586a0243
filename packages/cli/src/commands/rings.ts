import type { RingView } from '@postern/contract/dashboard';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { andMore } from '../and-more.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { isoMoment } from '../moment.ts';
import { formatTable } from '../table.ts';
import type { Colors } from '../terminal.ts';

interface Options {
  readonly project: string;
  readonly json?: true;
}

export function addRings(parent: Command, context: CommandContext): void {
  parent
    .command('rings')
    .summary('show groups of people who belong together')
    .description(
      'Shows the largest rings of the last 30 days: at least five people who belong together by devices, networks, domains, patterns of names and time. Nothing is changed.',
    )
    .requiredOption('--project <id>', 'the project')
    .option('--json', 'print one JSON document')
    .action((options: Options) => showRings(options, context));
}

async function showRings({ project, json }: Options, context: CommandContext): Promise<void> {
  const { RINGS_LISTED, ringsOf, ringViews } = await import('@postern/service/administration/rings');
  await withAdministration(context, async (administration) => {
    const { rings, people, from, partial } = await ringsOf(administration, project);
    const listed = await ringViews(administration, project, rings.slice(0, RINGS_LISTED));
    if (json)
      return printJson(context, {
        people,
        from: isoMoment(from),
        partial,
        total: rings.length,
        rings: listed.map((ring) => ({
          ...ring,
          firstSeen: isoMoment(ring.firstSeen),
          lastSeen: isoMoment(ring.lastSeen),
        })),
      });
    const { out, colors } = context.terminal;
    const compared = `${people} people were compared, seen since ${isoMoment(from)}${partial ? '; the log is longer' : ''}.\n`;
    out(listed.length > 0 ? `${ringTable(listed, colors)}\n${compared}` : `No ring.\n${compared}`);
  });
}

function ringTable(rings: readonly RingView[], colors: Colors): string {
  return formatTable(
    rings,
    [
      { title: 'ring', cell: ({ id }) => colors.bold(id) },
      { title: 'people', cell: ({ people }) => String(people), align: 'right' },
      { title: 'devices', cell: ({ devices }) => String(devices), align: 'right' },
      { title: 'networks', cell: ({ networks }) => String(networks), align: 'right' },
      { title: 'bad', cell: ({ bad }) => String(bad), align: 'right' },
      { title: 'good', cell: ({ good }) => String(good), align: 'right' },
      { title: 'last seen', cell: ({ lastSeen }) => isoMoment(lastSeen) },
      { title: 'domains', cell: ({ domains, domainCount }) => andMore(domains, domainCount) },
    ],
    colors,
  );
}
