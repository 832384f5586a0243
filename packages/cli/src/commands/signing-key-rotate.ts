import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { isoMoment } from '../moment.ts';

interface Options {
  readonly json?: true;
}

export function addSigningKeyRotate(parent: Command, context: CommandContext): void {
  parent
    .command('rotate')
    .summary('replace the key that signs verdicts')
    .description(
      'Makes a new key for X-Postern-Verdict. The old public half stays at /.well-known/jwks.json for a day.',
    )
    .option('--json', 'print one JSON document')
    .action((options: Options) => rotate(options, context));
}

async function rotate(options: Options, context: CommandContext): Promise<void> {
  const { rotateSigningKey } = await import('@postern/service/administration/signing-keys');
  await withAdministration(context, async (administration) => {
    const { kid, publicKey, createdAt } = await rotateSigningKey(administration);
    if (options.json) return printJson(context, { kid, publicKey, createdAt: isoMoment(createdAt) });
    context.terminal.out(`Verdicts are now signed with key ${context.terminal.colors.bold(kid)}.\n`);
  });
}
