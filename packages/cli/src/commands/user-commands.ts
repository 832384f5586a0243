import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { addressOf } from '../address-of.ts';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { isoMoment } from '../moment.ts';

interface UserOptions {
  readonly email: string;
  readonly json?: true;
}
interface CreateOptions extends UserOptions {
  readonly name?: string;
  readonly role: string;
  readonly passwordStdin?: true;
}
interface ResetOptions extends UserOptions {
  readonly passwordStdin?: true;
  readonly dropSecondFactor?: true;
  readonly revokeTokens?: true;
}

export function addUserCommands(parent: Command, context: CommandContext): void {
  addUserCreate(parent, context);
  addUserResetPassword(parent, context);
  addUserLinks(parent, context);
}

function addUserCreate(parent: Command, context: CommandContext): void {
  parent
    .command('create')
    .summary('create an account for the dashboard')
    .description(
      'Creates an account for the dashboard. Without --password-stdin a password is generated and printed once.',
    )
    .requiredOption('--email <address>', 'the email address of the account')
    .option('--name <name>', 'display name; default: the email address')
    .option('--role <viewer|analyst|admin|owner>', 'what the account can do', 'owner')
    .option(...PASSWORD_STDIN)
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Roles:
  viewer   can read everything
  analyst  can also decide reviews and change the lists
  admin    can also change projects, keys and policies
  owner    can also manage members

Examples:
  postern user create --email jane@example.com --name Jane
  pass show postern | postern user create --email jane@example.com --role admin --password-stdin`,
    )
    .action((options: CreateOptions) => createUser(options, context));
}

async function createUser(options: CreateOptions, context: CommandContext): Promise<void> {
  const { createAccount } = await import('@postern/service/operations/accounts');
  const { password, generated } = await passwordFor(options, context);
  await withAdministration(context, async (administration) => {
    const fields = { email: options.email, name: options.name ?? options.email, password };
    const member = await createAccount(administration, fields, options.role);
    const { id, name, email, role } = member;
    if (options.json)
      return printJson(context, {
        id,
        email,
        name,
        role,
        ...generated,
        joinedAt: isoMoment(member.joinedAt),
      });
    const { out, colors } = context.terminal;
    out(`${colors.bold(email)} can now sign in to the dashboard as ${role}.\n`);
    printPassword(generated, context);
  });
}

function addUserResetPassword(parent: Command, context: CommandContext): void {
  parent
    .command('reset-password')
    .summary('give a member of the dashboard a new password')
    .description(
      'For a member who is locked out. Ends all of their sessions and clears their failed sign-in attempts. Without --password-stdin a new password is generated and printed once.',
    )
    .requiredOption('--email <address>', 'the email address of the member')
    .option(...PASSWORD_STDIN)
    .option(
      '--drop-second-factor',
      'switch the second factor off, if the phone and the backup codes are lost',
    )
    .option('--revoke-tokens', 'also remove the member’s access tokens')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  postern user reset-password --email jane@example.com')
    .action((options: ResetOptions) => resetPassword(options, context));
}

async function resetPassword(options: ResetOptions, context: CommandContext): Promise<void> {
  const accounts = await import('@postern/service/operations/accounts');
  const { password, generated } = await passwordFor(options, context);
  await withAdministration(context, async (administration) => {
    const { member, ...tokens } = await accounts.resetPassword(administration, options.email, password, {
      dropSecondFactor: options.dropSecondFactor === true,
      revokeTokens: options.revokeTokens === true,
    });
    const { id, email, role } = member;
    if (options.json) return printJson(context, { id, email, role, ...generated, ...tokens });
    const { out, colors } = context.terminal;
    out(`${colors.bold(email)} (${role}) has a new password and is signed out everywhere.\n`);
    if (options.dropSecondFactor)
      out('The second factor is off; it can be switched on again under Your account.\n');
    const { tokensRevoked, tokensLeft } = tokens;
    if (tokensRevoked > 0) out(`Access tokens removed: ${tokensRevoked}.\n`);
    if (tokensLeft > 0) out(`Access tokens that still work: ${tokensLeft}; --revoke-tokens removes them.\n`);
    printPassword(generated, context);
  });
}

/** The operator’s part in company sign-in: the way back, and the link to an account that is already there. */
function addUserLinks(parent: Command, context: CommandContext): void {
  parent
    .command('sign-in-link')
    .summary('print a link that signs a member in once')
    .description(
      'For an owner who cannot sign in, also while the company sign-in is down or POSTERN_PASSWORDS is off. The link works once, for 15 minutes; the session lasts 12 hours. The audit log notes it.',
    )
    .requiredOption('--email <address>', 'the email address of the member')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  postern user sign-in-link --email jane@example.com')
    .action((options: UserOptions) => printLink(options, context));
  parent
    .command('verify')
    .summary('confirm that an account’s address belongs to its member')
    .description(
      'The company sign-in then uses this account for the person with that address, if the provider has verified the address too. Without it, such a person is refused: anybody with an invitation can type somebody else’s address.',
    )
    .requiredOption('--email <address>', 'the email address of the member')
    .option('--json', 'print one JSON document')
    .addHelpText('after', '\nExample:\n  postern user verify --email jane@example.com')
    .action((options: UserOptions) => verify(options, context));
}

async function printLink(options: UserOptions, context: CommandContext): Promise<void> {
  const { makeSignInLink } = await import('@postern/service/operations/links');
  await withAdministration(context, async (administration, config) => {
    const { member, token, expiresAt } = await makeSignInLink(administration, options.email);
    const url = `${addressOf(config)}/dashboard/enter#token=${token}`;
    if (options.json) return printJson(context, { email: member.email, role: member.role, url, expiresAt });
    const { out, colors } = context.terminal;
    out(`Signs ${colors.bold(member.email)} (${member.role}) in, once, within 15 minutes:\n\n  ${url}\n`);
  });
}

async function verify(options: UserOptions, context: CommandContext): Promise<void> {
  const { verifyMemberAddress } = await import('@postern/service/operations/accounts');
  await withAdministration(context, async (administration) => {
    const { email, role } = await verifyMemberAddress(administration, options.email);
    if (options.json) return printJson(context, { email, role });
    context.terminal.out(`The company sign-in can use the account of ${email} (${role}).\n`);
  });
}

const PASSWORD_LENGTH = 20;
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';

const PASSWORD_STDIN = [
  '--password-stdin',
  'read the password from standard input, to keep it out of the shell’s history',
] as const;

/** The password on standard input, or a new one, which the answer then has. */
async function passwordFor({ passwordStdin }: { readonly passwordStdin?: true }, context: CommandContext) {
  if (passwordStdin) return { password: await readPasswordFromInput(context.input), generated: {} };
  const password = makePassword(context.randomBytes);
  return { password, generated: { password } };
}

function printPassword({ password }: { readonly password?: string }, { terminal }: CommandContext): void {
  if (password === undefined) return;
  const { out, colors } = terminal;
  out(`\n  Password: ${colors.green(password)}\n\nShown only once; only its hash is stored.\n`);
}

/** 100 random bits, in letters that are not easily confused. */
function makePassword(randomBytes: CommandContext['randomBytes']): string {
  return Array.from(randomBytes(PASSWORD_LENGTH), (byte) => PASSWORD_ALPHABET.charAt(byte % 32)).join('');
}

/** The piped input, without the line ending. */
async function readPasswordFromInput(input: CommandContext['input']): Promise<string> {
  return (await text(Readable.from(input))).replace(/\r?\n$/, '');
}
