import { Command } from 'commander';
import type { CommandContext } from './command-context.ts';
import { addApi } from './commands/api.ts';
import { addApply } from './commands/apply.ts';
import { addAuditCommands } from './commands/audit-commands.ts';
import { addBackup } from './commands/backup.ts';
import { addCheck } from './commands/check.ts';
import { addClaimCommands } from './commands/claim-commands.ts';
import { addConfigCommands } from './commands/config-commands.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExport } from './commands/export.ts';
import { addFeedsAccept } from './commands/feeds-accept.ts';
import { addFeedsDoctor } from './commands/feeds-doctor.ts';
import { addFeedsExport } from './commands/feeds-export.ts';
import { addFeedsImport } from './commands/feeds-import.ts';
import { addFeedsRefresh } from './commands/feeds-refresh.ts';
import { addFeedsStatus } from './commands/feeds-status.ts';
import { addForget } from './commands/forget.ts';
import { addHookCommands } from './commands/hook-commands.ts';
import { addImport } from './commands/import.ts';
import { addKeyCommands } from './commands/key-commands.ts';
import { addListCommands } from './commands/list-commands.ts';
import { addMigrate } from './commands/migrate.ts';
import { addOutcomesImport } from './commands/outcomes-import.ts';
import { addOutcomesReport } from './commands/outcomes-report.ts';
import { addPersonExport } from './commands/person-export.ts';
import { addProjectCreate } from './commands/project-create.ts';
import { addProjectDelete } from './commands/project-delete.ts';
import { addProjectList } from './commands/project-list.ts';
import { addProjectShow } from './commands/project-show.ts';
import { addProjectUpdate } from './commands/project-update.ts';
import { addRestore } from './commands/restore.ts';
import { addRuleChanges } from './commands/rule-change.ts';
import { addRuleCreate } from './commands/rule-create.ts';
import { addRuleList } from './commands/rule-list.ts';
import { addRuleTest } from './commands/rule-test.ts';
import { addSdk } from './commands/sdk.ts';
import { addServe } from './commands/serve.ts';
import { addSigningKeyRotate } from './commands/signing-key-rotate.ts';
import { addUserCreate } from './commands/user-create.ts';
import { addUserLinks } from './commands/user-links.ts';
import { addUserResetPassword } from './commands/user-reset-password.ts';
import { addWebhookCommands } from './commands/webhook-commands.ts';
import { settingsHelp } from './settings-help.ts';

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
  addProjectShow(project, context);
  addProjectUpdate(project, context);
  addProjectDelete(project, context);

  const key = program.command('key').description('API keys of a project');
  addKeyCommands(key, context);

  const hook = program.command('hook').description('sign-in servers that ask by themselves');
  addHookCommands(hook, context);

  addApi(program, context);
  const claim = program.command('claim').description('what each person gets once, such as a trial');
  addClaimCommands(claim, context);

  addApply(program, context);
  const config = program.command('config').description('projects as files');
  addConfigCommands(config, context);

  addCheck(program, context);
  addDoctor(program, context);
  addSdk(program, context);

  const feeds = program.command('feeds').description('the data that the checks use');
  addFeedsStatus(feeds, context);
  addFeedsDoctor(feeds, context);
  addFeedsRefresh(feeds, context);
  addFeedsAccept(feeds, context);
  addFeedsExport(feeds, context);
  addFeedsImport(feeds, context);

  const outcomes = program.command('outcomes').description('whether sign-ups turned out good or bad');
  addOutcomesImport(outcomes, context);
  addOutcomesReport(outcomes, context);

  const rule = program.command('rule').description('rules that decide instead of the checks');
  addRuleCreate(rule, context);
  addRuleList(rule, context);
  addRuleChanges(rule, context);
  addRuleTest(rule, context);

  const list = program.command('list').description('allow and block lists, and lists that rules name');
  addListCommands(list, context);

  const webhook = program.command('webhook').description('where a project’s events are sent');
  addWebhookCommands(webhook, context);

  const user = program.command('user').description('people who sign in to the dashboard');
  addUserCreate(user, context);
  addUserResetPassword(user, context);
  addUserLinks(user, context);

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
