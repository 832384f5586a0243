import { meaningOf, SETTINGS } from '@postern/service/settings';
import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { addApi } from './commands/api.ts';
import { addApply } from './commands/apply.ts';
import { addAuditCommands } from './commands/audit-commands.ts';
import { addCheck } from './commands/check.ts';
import { addConfigCommands } from './commands/config-commands.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExport } from './commands/export.ts';
import { addFeedsAccept, addFeedsExport, addFeedsImport, addFeedsRefresh } from './commands/feeds-changes.ts';
import { addFeedsStatus } from './commands/feeds-status.ts';
import { addImport } from './commands/import.ts';
import { addOutcomesImport } from './commands/outcomes-import.ts';
import { addForget, addPersonExport } from './commands/person-commands.ts';
import { addProjectCreate, addProjectDelete, addProjectList } from './commands/project-commands.ts';
import { addProjectUpdate } from './commands/project-update.ts';
import { addSdk } from './commands/sdk.ts';
import { addServe } from './commands/serve.ts';
import { addSigningKeyRotate } from './commands/signing-key-rotate.ts';
import { addBackup, addMigrate, addRestore } from './commands/store-commands.ts';
import { addUserCommands } from './commands/user-commands.ts';
import { OPERATION_COMMANDS } from './operation-commands.ts';
import { addOperationCommands } from './run-operation-command.ts';
import type { Colors } from './terminal.ts';

/** The command tree. Command files are small: each imports what it needs when it runs. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('postern')
    .description('Email validation and sign-up fraud detection on your own machine.')
    .version(context.version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand('help [command]', 'explain a command')
    .exitOverride()
    .showHelpAfterError('(add --help for details)')
    .configureOutput({
      writeOut: context.terminal.out,
      writeErr: context.terminal.error,
      getOutHasColors: () => context.terminal.colors.isColorSupported,
      getErrHasColors: () => context.terminal.colors.isColorSupported,
    });

  addServe(program, context);

  const project = program.command('project').description('projects: allowed callers, limits and checks');
  addProjectCreate(project, context);
  addProjectList(project, context);
  addProjectUpdate(project, context);
  addProjectDelete(project, context);

  addApi(program, context);
  addApply(program, context);
  const config = program.command('config').description('projects as files');
  addConfigCommands(config, context);

  addCheck(program, context);
  addDoctor(program, context);
  addSdk(program, context);

  const feeds = program.command('feeds').description('the data that the checks use');
  addFeedsStatus(feeds, context);
  addFeedsRefresh(feeds, context);
  addFeedsAccept(feeds, context);
  addFeedsExport(feeds, context);
  addFeedsImport(feeds, context);

  const group = (name: keyof typeof OPERATION_COMMANDS, description: string) => {
    const parent = program.command(name).description(description);
    addOperationCommands(parent, OPERATION_COMMANDS[name], context);
    return parent;
  };
  group('key', 'API keys of a project');
  group('hook', 'sign-in servers that ask by themselves');
  group('claim', 'what each person gets once, such as a trial');
  group('rule', 'rules that decide instead of the checks');
  group('webhook', 'where a project’s events are sent');
  addOutcomesImport(group('outcomes', 'whether sign-ups turned out good or bad'), context);

  const user = program.command('user').description('people who sign in to the dashboard');
  addUserCommands(user, context);

  const audit = program.command('audit').description('the log of what members and commands did');
  addAuditCommands(audit, context);

  const person = program.command('person').description('what is stored about one person');
  addPersonExport(person, context);
  addForget(program, context);
  addMigrate(program, context);
  addBackup(program, context);
  addRestore(program, context);
  addExport(program, context);
  addImport(program, context);

  const signingKey = program.command('signing-key').description('the key that signs verdicts');
  addSigningKeyRotate(signingKey, context);

  program.addHelpText('after', () => `\n${EXAMPLES}\n\n${settingsHelp(context.terminal.colors)}`);
  return program;
}

const EXAMPLES = `Examples:
  postern project create --name "Web shop" --allow-domain example.com
  postern key create --project web-shop --type server --expires-in 90d
  postern key list --json

Commands use the service’s settings and work while it runs. Changes apply from the next request on.
Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/** Every setting with its default and meaning, as the service reads them. */
function settingsHelp(colors: Colors): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const lines = SETTINGS.map((setting) => {
    const fallback = setting.default === '' ? '' : colors.dim(` [${setting.default}]`);
    return `  ${setting.name.padEnd(width)}  ${meaningOf(setting)}${fallback}`;
  });
  return ['Settings (environment variables, with their defaults):', ...lines, ''].join('\n');
}
