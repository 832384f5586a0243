import { KEY_ROTATION_DAYS } from '@postern/contract';
import type { IssuedKey, NewKeyFields } from '@postern/service/administration/keys';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { parseDuration } from '../duration.ts';
import { issuedKeyJson, issuedKeyText, keyJson, keyTable } from '../key-view.ts';

interface Options {
  readonly project: string;
  readonly type: string;
  readonly mode?: string;
  readonly name?: string;
  readonly expiresIn?: string;
  readonly json?: true;
}

const loadKeys = () => import('@postern/service/administration/keys');
const loadFacts = () => import('@postern/service/model/key-facts');

/** `key create`, `list`, `regenerate` and `revoke`. */
export function addKeyCommands(parent: Command, context: CommandContext): void {
  const { terminal } = context;
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
    .action(async ({ project, type, mode, name, expiresIn, json }: Options) => {
      const { createKey } = await loadKeys();
      // As typed; the use case refuses an unknown type or mode.
      const kind = { type: type as NewKeyFields['type'], mode: mode as NewKeyFields['mode'] };
      const expiresInMs = lifetime(expiresIn);
      await withAdministration(context, async (administration) =>
        show(
          context,
          await createKey(administration, { projectId: project, ...kind, name, expiresInMs }),
          json,
        ),
      );
    });
  parent
    .command('list')
    .summary('show the keys, their age and when they were last used')
    .description(
      `Shows the keys, never their secrets. Keys that are ${KEY_ROTATION_DAYS} days old or older are marked for rotation.`,
    )
    .option('--project <id>', 'only the keys of this project')
    .option('--json', 'print one JSON document')
    .action(async ({ project, json }: Partial<Options>) => {
      const { listKeys } = await loadKeys();
      await withAdministration(context, async (administration) => {
        const facts = await listKeys(administration, project);
        if (json) return printJson(context, facts.map(keyJson));
        const { out, colors } = terminal;
        if (facts.length > 0) out(keyTable(facts, context.now(), colors));
        else
          out(
            `No keys yet. Create one: ${colors.cyan('npx postern key create --project ID --type server')}\n`,
          );
      });
    });
  parent
    .command('regenerate <id>')
    .summary('give a key a new secret')
    .description('Gives the key a new secret. The old secret stops working at once.')
    .option('--expires-in <time>', 'lifetime from now, such as 90d; default: the same lifetime as before')
    .option('--json', 'print one JSON document')
    .action(async (id: string, { expiresIn, json }: Partial<Options>) => {
      const { regenerateKey } = await loadKeys();
      const expiresInMs = lifetime(expiresIn);
      await withAdministration(context, async (administration) =>
        show(context, await regenerateKey(administration, id, { expiresInMs }), json),
      );
    });
  parent
    .command('revoke <id>')
    .summary('revoke a key permanently')
    .description('The key stops working at once. This cannot be undone.')
    .option('--json', 'print one JSON document')
    .action(async (id: string, { json }: Partial<Options>) => {
      const [{ revokeKey }, { keyFacts }] = await Promise.all([loadKeys(), loadFacts()]);
      await withAdministration(context, async (administration) => {
        const key = await revokeKey(administration, id);
        if (json) return printJson(context, keyJson(keyFacts(key, context.now())));
        terminal.out(`Key ${terminal.colors.bold(id)} of project ${key.projectId} is revoked.\n`);
      });
    });
}

const lifetime = (time: string | undefined) =>
  time === undefined ? undefined : parseDuration('--expires-in', time);

async function show(context: CommandContext, issued: IssuedKey, json: true | undefined): Promise<void> {
  const { keyFacts } = await loadFacts();
  if (json) printJson(context, issuedKeyJson(issued, keyFacts(issued.key, context.now())));
  else context.terminal.out(issuedKeyText(issued, context.terminal.colors));
}
