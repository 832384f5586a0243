import type { ForgetAnswer } from '@postern/contract/dashboard';
import type { Command } from 'commander';
import { withAdministration, withOperations } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { formatFacts } from '../table.ts';

interface PersonOptions {
  readonly project: string;
  readonly email?: string;
  readonly fingerprint?: string;
}

export function addPersonExport(parent: Command, context: CommandContext): void {
  parent
    .command('export')
    .summary('print what a project stores about one person')
    .description(
      'Prints one JSON document with everything that a project stores about an address, a device, or both, for the person who asks: validations, devices, outcomes and lists. `postern forget` erases it. The audit log notes it, without the person.',
    )
    .requiredOption('--project <id>', 'the project to look in')
    .option('--email <address>', 'the person’s address, in any spelling that reaches the same inbox')
    .option('--fingerprint <hash>', 'the device’s fingerprintHash, as the page sent it')
    .addHelpText(
      'after',
      '\nExample:\n  postern person export --project shop --email jane@example.com > jane.json',
    )
    .action((options: PersonOptions) => exportOne(options, context));
}

async function exportOne(options: PersonOptions, context: CommandContext): Promise<void> {
  const { exportPerson } = await import('@postern/service/operations/personal-data');
  const { project, email, fingerprint } = options;
  const person = await withAdministration(context, (administration) =>
    exportPerson(administration, project, { email, fingerprintHash: fingerprint }),
  );
  printJson(context, person);
}

interface ForgetOptions extends PersonOptions {
  readonly keepClaims?: true;
  readonly yes?: true;
  readonly json?: true;
}

export function addForget(parent: Command, context: CommandContext): void {
  parent
    .command('forget')
    .summary('erase what a project stores about one person')
    .description(
      'Erases what a project stores about an address, a device, or both: the inbox, its history on devices, the log rows and the reported outcomes. Without --yes it only counts.',
    )
    .requiredOption('--project <id>', 'the project to erase from')
    .option('--email <address>', 'the person’s address, in any spelling that reaches the same inbox')
    .option('--fingerprint <hash>', 'the device’s fingerprintHash, as the page sent it')
    .option(
      '--keep-claims',
      'keep bare hashes of what the person claimed, so that they cannot claim it again',
    )
    .option('--yes', 'confirm; this cannot be undone')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Figures of use stay: they name nobody. So do backups and exports that were made before, and entries of the project’s own
lists (see project update --unlist). The audit log says that somebody was forgotten, not who. An address with a tag is an
inbox of its own where the rules of the mail host are unknown; erase it by itself.

Examples:
  postern forget --project shop --email jane@example.com
  postern forget --project shop --email jane@example.com --yes`,
    )
    .action((options: ForgetOptions) => forget(options, context));
}

async function forget(options: ForgetOptions, context: CommandContext): Promise<void> {
  await withOperations(context, async (call) => {
    const { project, email, fingerprint: fingerprintHash, keepClaims, yes: erase } = options;
    const person = { email, fingerprintHash, keepClaims, erase };
    const forgotten = await call('POST /projects/:id/forget', { id: project }, person);
    if (options.json) return printJson(context, { projectId: project, ...forgotten });
    print(forgotten, options, context);
  });
}

function print(
  forgotten: ForgetAnswer,
  { project, yes, keepClaims }: ForgetOptions,
  { terminal }: CommandContext,
): void {
  const { out, colors } = terminal;
  out(yes ? `Erased from project ${project}:\n\n` : `Project ${project} stores:\n\n`);
  out(
    formatFacts(
      [
        ['Inboxes', String(forgotten.inboxes)],
        ['Devices', String(forgotten.devices)],
        ['Sightings', `${forgotten.sightings} (an inbox on a device)`],
        ['Log rows', String(forgotten.logRows)],
        ['Outcomes', `${forgotten.outcomes} (how the sign-ups turned out)`],
        [
          'Claims',
          `${forgotten.claims} (${keepClaims ? 'bare hashes stay: the person cannot claim again' : 'erasing frees them: the person can have the trial again'})`,
        ],
      ],
      colors,
    ),
  );
  for (const list of forgotten.listedIn) {
    const remove = list.endsWith('List')
      ? `postern project update ${project} --unlist ENTRY`
      : `postern api 'POST /projects/${project}/named-lists/${list}' --body '{"remove": ["ENTRY"]}'`;
    out(
      `\nThe person is also in the project’s ${list.replace(/List$/, '')} list and stays there. To remove the entry: ${remove}\n`,
    );
  }
  if (!yes) out('\nNothing was erased. Add --yes to erase it; this cannot be undone.\n');
}
