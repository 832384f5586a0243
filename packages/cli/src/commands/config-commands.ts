import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { collect } from '../project-options.ts';

interface Options {
  readonly project?: readonly string[];
  readonly json?: true;
}

export function addConfigCommands(parent: Command, context: CommandContext): void {
  parent
    .command('export')
    .summary('print projects in the form that apply reads')
    .description(
      'Prints the settings, policy, rules, lists and webhooks of projects as YAML. Keys, secrets and data about people are not in it, but lists can name people.',
    )
    .option('--project <id>', 'one project; repeatable (default: all)', collect)
    .option('--json', 'print one JSON document, a list')
    .addHelpText(
      'after',
      `
Examples:
  postern config export > projects.yaml
  postern config export --project shop | postern apply --dry-run`,
    )
    .action((options: Options) => exportProjects(options, context));
  parent
    .command('schema')
    .summary('print the JSON Schema of the files, for editors')
    .action(async () => {
      const { configurationSchema } = await import('@postern/contract/configuration');
      printJson(context, configurationSchema());
    });
}

async function exportProjects(options: Options, context: CommandContext): Promise<void> {
  const { exportConfiguration } = await import(
    '@postern/service/operations/configuration/apply-configuration'
  );
  const { stringify } = await import('yaml');
  const documents = await withAdministration(context, (administration) =>
    exportConfiguration(administration, options.project ?? []),
  );
  if (options.json) return printJson(context, documents);
  // Texts on one line: the apostrophes and colons of a condition stay readable.
  const yaml = documents.map((document) => stringify(document, { lineWidth: 0 })).join('---\n');
  context.terminal.out(yaml === '' ? '[]\n' : yaml);
}
