import type { NewKeyFields } from '@postern/service/administration/keys';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { parseDuration } from '../duration.ts';
import { issuedKeyJson, issuedKeyText } from '../key-view.ts';

interface Options {
  readonly project: string;
  readonly type: string;
  readonly mode?: string;
  readonly name?: string;
  readonly expiresIn?: string;
  readonly json?: true;
}

export function addKeyCreate(parent: Command, context: CommandContext): void {
  parent
    .command('create')
    .summary('create a key and print its secret')
    .description('Creates a key. Its secret is printed only once; only a hash is stored.')
    .requiredOption('--project <id>', 'the project that the key belongs to')
    .requiredOption('--type <client|server>', 'client: for pages and apps; server: for backends')
    .option('--mode <live|test>', 'test: same answers, no quota, nothing remembered', 'live')
    .option('--name <name>', 'display name')
    .option('--expires-in <time>', 'lifetime, such as 90d or 12h; by default the key does not expire')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  postern key create --project shop --type client --name "Sign-up page"
  postern key create --project shop --type server --expires-in 90d --json`,
    )
    .action((options: Options) => createKey(options, context));
}

async function createKey(options: Options, context: CommandContext): Promise<void> {
  const keys = await import('@postern/service/administration/keys');
  const { keyFacts } = await import('@postern/service/model/key-facts');
  const expiresInMs =
    options.expiresIn === undefined ? undefined : parseDuration('--expires-in', options.expiresIn);
  await withAdministration(context, async (administration) => {
    const issued = await keys.createKey(administration, {
      projectId: options.project,
      // As typed; the use case refuses an unknown type or mode.
      type: options.type as NewKeyFields['type'],
      mode: options.mode as NewKeyFields['mode'],
      name: options.name,
      expiresInMs,
    });
    if (options.json) return printJson(context, issuedKeyJson(issued, keyFacts(issued.key, context.now())));
    context.terminal.out(issuedKeyText(issued, context.terminal.colors));
  });
}
