import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { parseDuration } from '../duration.ts';
import { issuedKeyJson, issuedKeyText } from '../key-view.ts';

interface Options {
  readonly expiresIn?: string;
  readonly json?: true;
}

export function addKeyRegenerate(parent: Command, context: CommandContext): void {
  parent
    .command('regenerate <id>')
    .summary('give a key a new secret')
    .description('Gives the key a new secret. The old secret stops working at once.')
    .option('--expires-in <time>', 'lifetime from now, such as 90d; default: the same lifetime as before')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Options) => regenerateKey(id, options, context));
}

async function regenerateKey(id: string, options: Options, context: CommandContext): Promise<void> {
  const keys = await import('@postern/service/administration/keys');
  const { keyFacts } = await import('@postern/service/model/key-facts');
  const expiresInMs =
    options.expiresIn === undefined ? undefined : parseDuration('--expires-in', options.expiresIn);
  await withAdministration(context, async (administration) => {
    const issued = await keys.regenerateKey(administration, id, { expiresInMs });
    if (options.json) return printJson(context, issuedKeyJson(issued, keyFacts(issued.key, context.now())));
    context.terminal.out(issuedKeyText(issued, context.terminal.colors));
  });
}
