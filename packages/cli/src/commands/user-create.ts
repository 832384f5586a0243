import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { makePassword, readPasswordFromInput } from '../make-password.ts';
import { isoMoment } from '../moment.ts';

interface Options {
  readonly email: string;
  readonly name?: string;
  readonly role: string;
  readonly passwordStdin?: true;
  readonly json?: true;
}

export function addUserCreate(parent: Command, context: CommandContext): void {
  parent
    .command('create')
    .summary('create an account for the dashboard')
    .description(
      'Creates an account for the dashboard. Without --password-stdin a password is generated and printed once.',
    )
    .requiredOption('--email <address>', 'the email address of the account')
    .option('--name <name>', 'display name; default: the email address')
    .option('--role <viewer|analyst|admin|owner>', 'what the account can do', 'owner')
    .option(
      '--password-stdin',
      'read the password from standard input, to keep it out of the shell’s history',
    )
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
    .action((options: Options) => createUser(options, context));
}

async function createUser(options: Options, context: CommandContext): Promise<void> {
  const { createAccount } = await import('@postern/service/operations/accounts');
  const given = options.passwordStdin ? await readPasswordFromInput(context.input) : undefined;
  const password = given ?? makePassword(context.randomBytes);
  await withAdministration(context, async (administration) => {
    const fields = { email: options.email, name: options.name ?? options.email, password };
    const member = await createAccount(administration, fields, options.role);
    const { id, name, email, role } = member;
    const generated = given === undefined ? { password } : {};
    if (options.json) {
      return printJson(context, {
        id,
        email,
        name,
        role,
        ...generated,
        joinedAt: isoMoment(member.joinedAt),
      });
    }
    const { out, colors } = context.terminal;
    out(`${colors.bold(email)} can now sign in to the dashboard as ${role}.\n`);
    if (given === undefined)
      out(`\n  Password: ${colors.green(password)}\n\nShown only once; only its hash is stored.\n`);
  });
}
