import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';

interface Options {
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
    .action((options: Options) => exportOne(options, context));
}

async function exportOne(options: Options, context: CommandContext): Promise<void> {
  const { exportPerson } = await import('@postern/service/operations/personal-data');
  const { project, email, fingerprint } = options;
  const person = await withAdministration(context, (administration) =>
    exportPerson(administration, project, { email, fingerprintHash: fingerprint }),
  );
  printJson(context, person);
}
