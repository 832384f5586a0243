import { DAY_MS, KEY_ROTATION_DAYS } from '@postern/contract';
import type { NewKeyRequest } from '@postern/contract/dashboard';
import type { Command } from 'commander';
import { withOperations } from '../administration-session.ts';
import { type CommandContext, printAnswer } from '../command-context.ts';
import { parseDuration } from '../duration.ts';
import { issuedKeyText, keyTable } from '../key-view.ts';

interface Options {
  readonly project?: string;
  readonly expiresIn?: string;
  readonly json?: true;
}

interface NewKeyOptions extends Options {
  readonly project: string;
  readonly type: string;
  readonly mode: string;
  readonly name?: string;
}

export function addKeyCommands(parent: Command, context: CommandContext): void {
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
    .action((options: NewKeyOptions) => createKey(options, context));
  parent
    .command('list')
    .summary('show the keys, their age and when they were last used')
    .description(
      `Shows the keys, never their secrets. Keys that are ${KEY_ROTATION_DAYS} days old or older are marked for rotation.`,
    )
    .option('--project <id>', 'only the keys of this project')
    .option('--json', 'print one JSON document')
    .action((options: Options) => listKeys(options, context));
  parent
    .command('regenerate <id>')
    .summary('give a key a new secret')
    .description('Gives the key a new secret. The old secret stops working at once.')
    .option('--expires-in <time>', 'lifetime from now, such as 90d; default: the same lifetime as before')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Options) => regenerateKey(id, options, context));
  parent
    .command('revoke <id>')
    .summary('revoke a key permanently')
    .description('The key stops working at once. This cannot be undone.')
    .option('--json', 'print one JSON document')
    .action((id: string, options: Options) => revokeKey(id, options, context));
}

async function createKey(options: NewKeyOptions, context: CommandContext): Promise<void> {
  // As typed: the operation refuses an unknown type or mode.
  const { type, mode, name } = options as NewKeyRequest;
  const body = { type, mode, name, expiresInDays: daysOf(options) };
  await withOperations(context, async (call) => {
    const issued = await call('POST /projects/:id/keys', { id: options.project }, body);
    if (options.json) printAnswer(context, issued);
    else context.terminal.out(issuedKeyText(issued, context.terminal.colors));
  });
}

async function listKeys({ project, json }: Options, context: CommandContext): Promise<void> {
  await withOperations(context, async (_call, administration) => {
    const keys = await import('@postern/service/operations/keys');
    const listed = await keys.listKeys(administration, project);
    if (json) return printAnswer(context, listed);
    const { out, colors } = context.terminal;
    if (listed.length > 0) out(keyTable(listed, context.now(), colors));
    else
      out(`No keys yet. Create one: ${colors.cyan('npx postern key create --project ID --type server')}\n`);
  });
}

async function regenerateKey(keyId: string, options: Options, context: CommandContext): Promise<void> {
  const body = { expiresInDays: daysOf(options) };
  await withOperations(context, async (call) => {
    const issued = await call('POST /keys/:keyId/regenerate', { keyId }, body);
    if (options.json) printAnswer(context, issued);
    else context.terminal.out(issuedKeyText(issued, context.terminal.colors));
  });
}

async function revokeKey(keyId: string, { json }: Options, context: CommandContext): Promise<void> {
  await withOperations(context, async (call) => {
    const key = await call('POST /keys/:keyId/revoke', { keyId });
    if (json) printAnswer(context, key);
    else
      context.terminal.out(
        `Key ${context.terminal.colors.bold(keyId)} of project ${key.projectId} is revoked.\n`,
      );
  });
}

function daysOf({ expiresIn }: Options): number | undefined {
  return expiresIn === undefined ? undefined : parseDuration('--expires-in', expiresIn) / DAY_MS;
}
