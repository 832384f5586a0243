import { KEY_ROTATION_DAYS } from '@postern/contract';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { keyJson, keyTable } from '../key-view.ts';

interface Options {
  readonly project?: string;
  readonly json?: true;
}

export function addKeyList(parent: Command, context: CommandContext): void {
  parent
    .command('list')
    .summary('show the keys, their age and when they were last used')
    .description(
      `Shows the keys, never their secrets. Keys that are ${KEY_ROTATION_DAYS} days old or older are marked for rotation.`,
    )
    .option('--project <id>', 'only the keys of this project')
    .option('--json', 'print one JSON document')
    .action((options: Options) => listKeys(options, context));
}

async function listKeys(options: Options, context: CommandContext): Promise<void> {
  const keys = await import('@postern/service/administration/keys');
  await withAdministration(context, async (administration) => {
    const facts = await keys.listKeys(administration, options.project);
    if (options.json) return printJson(context, facts.map(keyJson));
    const { out, colors } = context.terminal;
    if (facts.length > 0) out(keyTable(facts, context.now(), colors));
    else
      out(`No keys yet. Create one: ${colors.cyan('npx postern key create --project ID --type server')}\n`);
  });
}
