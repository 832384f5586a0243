import type { ComparedVersion } from '@postern/service/administration/policy-history';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import { isoMoment } from '../moment.ts';
import { printable } from '../printable.ts';
import { policyFacts } from '../project-view.ts';
import { ruleTable } from '../rule-view.ts';
import { formatFacts } from '../table.ts';

interface Options {
  readonly project: string;
  readonly json?: true;
}

/** `policy history`, `policy show` and `policy restore`. */
export function addPolicyCommands(parent: Command, context: CommandContext): void {
  const command = (name: string, summary: string) =>
    parent
      .command(name)
      .summary(summary)
      .requiredOption('--project <id>', 'the project')
      .option('--json', 'print one JSON document');

  command('history', 'show who changed the policy and its rules, when, why, and what')
    .option('--limit <number>', 'how many versions, the newest first', '20')
    .action((options: Options & { readonly limit: string }) => history(options, context));
  command('show <version>', 'show one version of the policy, and how it differs from another')
    .option('--against <version>', 'the version to compare with (default: the one before)')
    .action((version: string, options: Options & { readonly against?: string }) =>
      show(version, options, context),
    );
  command('restore <version>', 'go back to an earlier policy and its rules')
    .description(
      'Saves an earlier version of the policy and its rules again, as a new version. Named lists stay as they are.',
    )
    .option('--reason <text>', 'why (default: "Back to version N.")')
    .action((version: string, options: Options & { readonly reason?: string }) =>
      restore(version, options, context),
    );
}

async function history(
  { project, limit, json }: Options & { readonly limit: string },
  context: CommandContext,
): Promise<void> {
  const { listPolicyVersions } = await import('@postern/service/administration/policy-history');
  await withAdministration(context, async (administration) => {
    const { rows } = await listPolicyVersions(administration, project, numberOf('--limit', limit));
    if (json) return printJson(context, rows.map(versionJson));
    context.terminal.out(rows.map((row) => versionText(row, context)).join('\n'));
  });
}

async function show(
  version: string,
  { project, against, json }: Options & { readonly against?: string },
  context: CommandContext,
): Promise<void> {
  const { findPolicyVersion } = await import('@postern/service/administration/policy-history');
  await withAdministration(context, async (administration) => {
    const other = against === undefined ? undefined : numberOf('--against', against);
    const found = await findPolicyVersion(administration, project, numberOf('The version', version), other);
    const { policy, rules } = found;
    if (json) return printJson(context, { ...versionJson(found), policy, rules });
    context.terminal.out(`${versionText(found, context)}\n${contentText(found, context)}`);
  });
}

async function restore(
  version: string,
  { project, reason, json }: Options & { readonly reason?: string },
  context: CommandContext,
): Promise<void> {
  const { withReason } = await import('@postern/service/administration/administration');
  const { restorePolicy } = await import('@postern/service/administration/policy-history');
  await withAdministration(context, async (administration) => {
    const admin = withReason(administration, reason);
    const saved = await restorePolicy(admin, project, numberOf('The version', version));
    if (json) return printJson(context, versionJson(saved));
    context.terminal.out(versionText(saved, context));
  });
}

function numberOf(what: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`${what} must be a whole number from 1, not "${text}".`);
  return Number(text);
}

function versionJson({ number, at, actor, reason, changes }: ComparedVersion) {
  return { version: number, at: isoMoment(at), by: actor, reason, changes };
}

/** What the version says: its settings, and its rules in their order. */
function contentText({ policy, rules }: ComparedVersion, { terminal }: CommandContext): string {
  const { colors } = terminal;
  const settings = formatFacts(policyFacts(policy, colors), colors);
  return rules.length === 0 ? `${settings}No rules.\n` : `${settings}\n${ruleTable(rules, colors)}`;
}

function versionText(
  { number, at, actor, reason, changes }: ComparedVersion,
  { terminal }: CommandContext,
): string {
  const why = reason === null ? '' : `: ${reason}`;
  const noChanges = number === 1 ? 'the first version' : 'no difference, or nothing to compare with';
  const lines = changes.length === 0 ? [noChanges] : changes;
  return [
    `${terminal.colors.bold(`Version ${number}`)}, ${isoMoment(at)}, ${actor}${printable(why)}`,
    ...lines.map((line) => printable(`  ${line}`)),
    '',
  ].join('\n');
}
