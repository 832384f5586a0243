import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { isoMoment, relativeMoment } from '../moment.ts';
import { formatTable } from '../table.ts';

interface Options {
  readonly project: string;
  readonly json?: true;
}

/** `claim list` and `claim release`. */
export function addClaimCommands(parent: Command, context: CommandContext): void {
  const { terminal } = context;
  const load = () => import('@postern/service/operations/claims');
  parent
    .command('list')
    .summary('show what people claimed, such as trials, newest first')
    .requiredOption('--project <id>', 'the project')
    .option('--json', 'print one JSON document')
    .action(async ({ project, json }: Options) => {
      const { listClaims, summarizeClaims } = await load();
      await withAdministration(context, async (administration) => {
        const { claims } = await listClaims(administration, project);
        const { summary, days } = await summarizeClaims(administration, project);
        if (json)
          return printJson(context, {
            summary,
            days: days.map(({ at, ...counts }) => ({ day: isoMoment(at)?.slice(0, 10), ...counts })),
            claims: claims.map(({ id, claim, granted, maskedAddress, because, at, releasedAt }) => ({
              ...{ id, claim, granted: granted === 1, address: maskedAddress, because },
              ...{ at: isoMoment(at), releasedAt: isoMoment(releasedAt) },
            })),
          });
        for (const { claim, granted, refused, refusedGood, refusedBad } of summary)
          terminal.out(
            `${claim}: ${granted} granted, ${refused} refused in 30 days; of those refused ${refusedGood} are good customers, ${refusedBad} bad\n`,
          );
        const columns = [
          { title: 'id', cell: (row: (typeof claims)[number]) => row.id },
          { title: 'claim', cell: (row: (typeof claims)[number]) => row.claim },
          { title: 'person', cell: (row: (typeof claims)[number]) => row.maskedAddress },
          {
            title: 'answer',
            cell: ({ granted, releasedAt, because }: (typeof claims)[number]) =>
              granted === 0 ? `refused: ${because.join(', ')}` : releasedAt === null ? 'granted' : 'released',
          },
          { title: 'when', cell: (row: (typeof claims)[number]) => relativeMoment(row.at, context.now()) },
        ];
        terminal.out(
          claims.length === 0 ? 'No claims yet.\n' : formatTable(claims, columns, terminal.colors),
        );
      });
    });
  parent
    .command('release <id>')
    .summary('give a granted claim back, so that the person can claim it again')
    .requiredOption('--project <id>', 'the project')
    .option('--reason <text>', 'why, for the audit log')
    .option('--json', 'print one JSON document')
    .action(async (id: string, { project, reason, json }: Options & { readonly reason?: string }) => {
      const [{ releaseClaim }, { withReason }] = await Promise.all([
        load(),
        import('@postern/service/operations/administration'),
      ]);
      await withAdministration(context, async (administration) => {
        const { claim } = await releaseClaim(withReason(administration, reason), project, id);
        if (json) return printJson(context, { id, claim, released: true });
        terminal.out(`Claim ${id} (${claim}) is released.\n`);
      });
    });
}
