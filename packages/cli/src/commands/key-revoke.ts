import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { keyJson } from '../key-view.ts';

interface Options {
  readonly json?: true;
}

export function addKeyRevoke(parent: Command, context: CommandContext): void {
  parent
    .command('revoke <id>')
    .summary('revoke a key permanently')
    .description('The key stops working at once. This cannot be undone.')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Options) => revokeKey(id, options, context));
}

async function revokeKey(id: string, options: Options, context: CommandContext): Promise<void> {
  const keys = await import('@postern/service/administration/keys');
  const { keyFacts } = await import('@postern/service/model/key-facts');
  await withAdministration(context, async (administration) => {
    const key = await keys.revokeKey(administration, id);
    if (options.json) return printJson(context, keyJson(keyFacts(key, context.now())));
    context.terminal.out(`Key ${context.terminal.colors.bold(id)} of project ${key.projectId} is revoked.\n`);
  });
}
