import type { AppliedConfiguration } from '@postern/service/operations/configuration/apply-configuration';
import type { Difference } from '@postern/service/operations/configuration/differences';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { DifferencesFound, ExpectedError, failureOf } from '../failure.ts';
import { readConfiguration } from '../read-configuration.ts';
import { printable } from '../table.ts';

interface Options {
  readonly dryRun?: true;
  readonly prune?: true;
  readonly as?: string;
  readonly reason?: string;
  readonly json?: true;
}

export function addApply(parent: Command, context: CommandContext): void {
  parent
    .command('apply')
    .summary('make projects what files say')
    .description(
      'Reads YAML or JSON documents, one for each project, and changes the projects to match: all of them or none. What no document names stays. Without a file it reads standard input.',
    )
    .argument('[files...]', 'YAML or JSON files; - for standard input')
    .option('--dry-run', 'print the differences and change nothing; exit status 2 if there are any')
    .option(
      '--prune',
      'also remove what the files do not name: other projects are archived; rules, lists, entries and webhooks are deleted; settings get their default',
    )
    .option('--as <name>', 'who changes it, for the audit log')
    .option('--reason <text>', 'why, for the audit log and the history of the policy')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  postern config export > projects.yaml
  postern apply projects.yaml --dry-run
  postern apply projects.yaml --as release-pipeline

Exit codes: 0 applied or no difference, 1 a fault in a file or the store, 2 with --dry-run: there are differences.`,
    )
    .action((files: readonly string[], options: Options) => apply(files, options, context));
}

async function apply(files: readonly string[], options: Options, context: CommandContext): Promise<void> {
  const applied = await applyFiles(files, options, context);
  if (options.json) printJson(context, { ...applied, applied: options.dryRun !== true });
  else printText(applied, options, context);
  if (options.dryRun && applied.differences.length > 0) throw new DifferencesFound();
}

/** Status 2 means differences, so everything else that is wrong ends with 1. */
async function applyFiles(
  files: readonly string[],
  options: Options,
  context: CommandContext,
): Promise<AppliedConfiguration> {
  const { applyConfiguration } = await import(
    '@postern/service/operations/configuration/apply-configuration'
  );
  const { readActor, withReason } = await import('@postern/service/operations/administration');
  try {
    const documents = await readConfiguration(files, context.input);
    return await withAdministration(context, (administration) =>
      applyConfiguration(
        withReason({ ...administration, actor: readActor(options.as) }, options.reason),
        documents,
        { environment: context.environment, prune: options.prune === true, dryRun: options.dryRun === true },
      ),
    );
  } catch (error) {
    const { exitCode, message } = failureOf(error);
    if (exitCode === 2 && message !== undefined) throw new ExpectedError(message, { cause: error });
    throw error;
  }
}

function printText(
  { differences, issued }: AppliedConfiguration,
  options: Options,
  context: CommandContext,
): void {
  const { out, colors } = context.terminal;
  for (const difference of differences) {
    const [sign, color] = signOf(difference, colors);
    out(`${color(`${sign} ${printable(lineOf(difference))}`)}\n`);
  }
  const count = differences.length === 1 ? '1 difference' : `${differences.length} differences`;
  if (differences.length === 0) out('No differences.\n');
  else out(options.dryRun ? `${count}; nothing was changed.\n` : `Applied: ${count}.\n`);
  if (options.dryRun) return;
  for (const { projectId, url, secret } of issued)
    out(`\nSecret of the new webhook ${printable(url)} of ${projectId}, shown once:\n${secret}\n`);
}

function signOf({ before, after }: Difference, { green, red, yellow }: CommandContext['terminal']['colors']) {
  if (before === undefined) return ['+', green] as const;
  return after === undefined ? (['-', red] as const) : (['~', yellow] as const);
}

function lineOf({ project, path, before, after }: Difference): string {
  const name = `${project} ${path}`;
  if (path === 'project') return `${project}: a new project`;
  if (after === undefined) return isEmpty(before) ? name : `${name}: ${text(before)}`;
  if (before === undefined) return isEmpty(after) ? name : `${name}: ${text(after)}`;
  return `${name}: ${text(after)}, was ${text(before)}`;
}

const isEmpty = (value: unknown) => text(value) === '{}';
const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
