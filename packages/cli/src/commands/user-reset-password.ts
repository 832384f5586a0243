import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { makePassword, readPasswordFromInput } from '../make-password.ts';

interface Options {
  readonly email: string;
  readonly passwordStdin?: true;
  readonly dropSecondFactor?: true;
  readonly revokeTokens?: true;
  readonly revokePasskeys?: true;
  readonly json?: true;
}

export function addUserResetPassword(parent: Command, context: CommandContext): void {
  parent
    .command('reset-password')
    .summary('give a member of the dashboard a new password')
    .description(
      'For a member who is locked out. Ends all of their sessions and clears their failed sign-in attempts. Without --password-stdin a new password is generated and printed once.',
    )
    .requiredOption('--email <address>', 'the email address of the member')
    .option(
      '--password-stdin',
      'read the password from standard input, to keep it out of the shell’s history',
    )
    .option(
      '--drop-second-factor',
      'switch the second factor off, if the phone and the backup codes are lost',
    )
    .option('--revoke-tokens', 'also remove the member’s access tokens')
    .option('--revoke-passkeys', 'also remove the member’s passkeys, which sign in without the password')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  postern user reset-password --email jane@example.com')
    .action((options: Options) => resetPassword(options, context));
}

async function resetPassword(options: Options, context: CommandContext): Promise<void> {
  const accounts = await import('@postern/service/operations/accounts');
  const ownPassword = options.passwordStdin ? await readPasswordFromInput(context.input) : undefined;
  const password = ownPassword ?? makePassword(context.randomBytes);
  await withAdministration(context, async (administration) => {
    const { member, ...tokensAndPasskeys } = await accounts.resetPassword(
      administration,
      options.email,
      password,
      {
        dropSecondFactor: options.dropSecondFactor === true,
        revokeTokens: options.revokeTokens === true,
        revokePasskeys: options.revokePasskeys === true,
      },
    );
    const { id, email, role } = member;
    const generated = ownPassword === undefined ? { password } : {};
    if (options.json) return printJson(context, { id, email, role, ...generated, ...tokensAndPasskeys });
    const { out, colors } = context.terminal;
    out(`${colors.bold(email)} (${role}) has a new password and is signed out everywhere.\n`);
    if (options.dropSecondFactor)
      out('The second factor is off; it can be switched on again under Your account.\n');
    const { tokensRevoked, tokensLeft, passkeysRevoked, passkeysLeft } = tokensAndPasskeys;
    if (tokensRevoked > 0) out(`Access tokens removed: ${tokensRevoked}.\n`);
    if (tokensLeft > 0) out(`Access tokens that still work: ${tokensLeft}; --revoke-tokens removes them.\n`);
    if (passkeysRevoked > 0) out(`Passkeys removed: ${passkeysRevoked}.\n`);
    if (passkeysLeft > 0)
      out(`Passkeys that still sign in: ${passkeysLeft}; --revoke-passkeys removes them.\n`);
    if (ownPassword === undefined)
      out(`\n  Password: ${colors.green(password)}\n\nShown only once; only its hash is stored.\n`);
  });
}
