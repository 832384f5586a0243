import type { SigningKey } from '@postern/service/store/tables/instance-table';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { withoutStack } from '../failure.ts';
import { isoMoment } from '../moment.ts';

interface Options {
  readonly revoke?: true;
  readonly json?: true;
}

export function addSigningKeyRotate(parent: Command, context: CommandContext): void {
  parent
    .command('rotate')
    .summary('replace the key that signs verdicts')
    .description(
      'Creates a new key for X-Postern-Verdict. It is published immediately and signs six minutes later; the old public half stays at /.well-known/jwks.json for a day.',
    )
    .option('--revoke', 'the old key was leaked: stop publishing it and sign with the new one now')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
With --revoke the earlier keys are forgotten. Every process signs with the new key within half a minute. Verdicts
that the old key signed are refused as soon as a backend fetches the key set anew, with sdk-node at the first verdict
of the new key and after ten minutes at the latest; its evaluateSignUp then asks the service instead, so sign-ups under
way go on. A backend that is restarted knows at once.`,
    )
    .action((options: Options) => rotate(options, context));
}

async function rotate(options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { signingKeys: file } = readConfig(context.environment);
  if (file === undefined) return print(options, context, await rotateInStore(options, context));
  const { rotateSigningKeyFile } = await import('@postern/service/record/signing-key-file');
  const rotated = await withoutStack(rotateSigningKeyFile(file, context.now(), options.revoke === true));
  print(options, context, rotated);
  if (!options.json)
    context.terminal.out(
      `It is in ${file}. Copy the file to every installation ${options.revoke ? 'now' : 'within six minutes'}; each reads it twice a minute.\n`,
    );
}

interface Rotation {
  readonly key: SigningKey;
  readonly revoked: readonly string[];
}

async function rotateInStore(options: Options, context: CommandContext): Promise<Rotation> {
  const { revokeSigningKeys, rotateSigningKey } = await import('@postern/service/operations/signing-keys');
  return withAdministration(context, async (administration) =>
    options.revoke
      ? revokeSigningKeys(administration)
      : { key: await rotateSigningKey(administration), revoked: [] },
  );
}

function print({ json, revoke }: Options, context: CommandContext, { key, revoked }: Rotation): void {
  const { kid, publicKey, createdAt } = key;
  if (json) {
    printJson(context, { kid, publicKey, createdAt: isoMoment(createdAt), ...(revoke && { revoked }) });
    return;
  }
  const { out, colors } = context.terminal;
  if (!revoke) {
    out(`Key ${colors.bold(kid)} is published now and signs verdicts in six minutes.\n`);
    return;
  }
  out(`Verdicts are signed with key ${colors.bold(kid)} within half a minute, on every process.\n`);
  for (const old of revoked) out(`Key ${colors.bold(old)} is revoked and no longer published.\n`);
  out('Backends refuse its verdicts once they fetch the key set again: in ten minutes, or when restarted.\n');
}
