import type { Command } from 'commander';
import { addressOf } from '../address-of.ts';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';

interface Options {
  readonly email: string;
  readonly json?: true;
}

/** The operator’s part in company sign-in: the way back, and the link to an account that is already there. */
export function addUserLinks(parent: Command, context: CommandContext): void {
  parent
    .command('sign-in-link')
    .summary('print a link that signs a member in once')
    .description(
      'For an owner who cannot sign in, also while the company sign-in is down or POSTERN_PASSWORDS is off. The link works once, for 15 minutes; the session lasts 12 hours. The audit log notes it.',
    )
    .requiredOption('--email <address>', 'the email address of the member')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  postern user sign-in-link --email jane@example.com')
    .action((options: Options) => printLink(options, context));
  parent
    .command('verify')
    .summary('confirm that an account’s address belongs to its member')
    .description(
      'The company sign-in then uses this account for the person with that address, if the provider has verified the address too. Without it, such a person is refused: anybody with an invitation can type somebody else’s address.',
    )
    .requiredOption('--email <address>', 'the email address of the member')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  postern user verify --email jane@example.com')
    .action((options: Options) => verify(options, context));
}

async function printLink(options: Options, context: CommandContext): Promise<void> {
  const { makeSignInLink } = await import('@postern/service/operations/links');
  await withAdministration(context, async (administration, config) => {
    const { member, token, expiresAt } = await makeSignInLink(administration, options.email);
    const url = `${addressOf(config)}/dashboard/enter#token=${token}`;
    if (options.json) return printJson(context, { email: member.email, role: member.role, url, expiresAt });
    const { out, colors } = context.terminal;
    out(`Signs ${colors.bold(member.email)} (${member.role}) in, once, within 15 minutes:\n\n  ${url}\n`);
  });
}

async function verify(options: Options, context: CommandContext): Promise<void> {
  const { verifyMemberAddress } = await import('@postern/service/operations/accounts');
  await withAdministration(context, async (administration) => {
    const { email, role } = await verifyMemberAddress(administration, options.email);
    if (options.json) return printJson(context, { email, role });
    context.terminal.out(`The company sign-in can use the account of ${email} (${role}).\n`);
  });
}
