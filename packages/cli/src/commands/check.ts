import type { BulkFile } from '@postern/contract/bulk-file';
import type { Config } from '@postern/service/config';
import type { KeyedHash } from '@postern/service/model/keyed-hash';
import type { Project } from '@postern/service/model/project';
import type { CheckParts } from '@postern/service/open-checks';
import type { Administration } from '@postern/service/operations/administration';
import type { BulkQuota } from '@postern/service/operations/bulk-check';
import type { AddressReport, CheckAddressTerms } from '@postern/service/operations/check-address';
import type { Command } from 'commander';
import { withAdministration, withChecks } from '../administration-session.ts';
import { FILE_LIMITS, MAX_FILE_MIB, readAddressFile, writeResultFile } from '../check-file.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError, UsageError } from '../failure.ts';
import { createProgress } from '../progress.ts';
import { reportTable, reportText } from '../report-view.ts';

interface Options {
  readonly ip?: string;
  readonly userAgent?: string;
  readonly file?: string;
  readonly output?: string;
  readonly project?: string;
  readonly json?: true;
}

/** How many rows are checked at once. */
const AT_ONCE = 64;

export function addCheck(parent: Command, context: CommandContext): void {
  parent
    .command('check [addresses...]')
    .summary('check addresses without a server, and explain each verdict')
    .description(
      'Runs the service’s own checks and says what each found, by which rule and data. Nothing is logged or remembered, no history is read, and the device check needs a browser, so it does not run. With --file and --project, each address of the file uses one validation of the project’s month; otherwise nothing is counted.',
    )
    .option('--ip <address>', 'the client’s IP address, for the ip check')
    .option('--user-agent <text>', 'the client’s User-Agent')
    .option(
      '--file <path>',
      'check a CSV file with a column email, and ip if wanted, or a list; "-": standard input',
    )
    .option(
      '--output <path>',
      'write the file’s columns with recommendation, failed checks and reason, as CSV',
    )
    .option('--project <id>', 'use this project’s policy, lists and rules')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
A file has at most ${FILE_LIMITS.maxRows.toLocaleString('en')} rows and ${MAX_FILE_MIB} MiB. Ctrl-C stops and writes what was checked until then.

Examples:
  postern check jane.doe@gmail.com
  postern check someone@mailinator.com --ip 203.0.113.7
  postern check --file sign-ups.csv --project shop --output verdicts.csv
  postern check --file sign-ups.csv --json > verdicts.json`,
    )
    .action((addresses: string[], options: Options) => check(addresses, options, context));
}

async function check(typed: readonly string[], options: Options, context: CommandContext): Promise<void> {
  const { file: path } = options;
  if (path !== undefined && typed.length > 0) throw new UsageError('Give addresses or --file, not both.');
  if (path === undefined && options.output !== undefined) throw new UsageError('--output needs --file.');
  const file = path === undefined ? undefined : await readAddressFile(path, context.input);
  const rows = file?.rows ?? typed.map((email) => ({ email, ip: '' }));
  if (rows.length === 0) throw new UsageError('Give at least one address, or a list with --file.');

  const { readConfig } = await import('@postern/service/config');
  const config = readConfig(context.environment);
  const terms = await readTerms(options);
  if (options.project === undefined)
    return checkAndPrint(
      { file, rows, terms, quota: NO_QUOTA, keyedHash: NO_HASH },
      options,
      config,
      context,
    );
  const id = options.project;
  await withAdministration(context, async (admin) => {
    const { findProject } = await import('@postern/service/operations/change-project');
    const project = await findProject(admin, id);
    const { instanceHash } = await import('@postern/service/operations/instance-hash');
    const { policy, allowList, blockList, rules, namedLists } = project;
    const projectTerms = { ...terms, policy, allowList, blockList, rules, namedLists };
    const keyedHash = await instanceHash(admin);
    const quota = file === undefined ? NO_QUOTA : await openQuota(admin, project, rows.length, context);
    await checkAndPrint({ file, rows, terms: projectTerms, quota, keyedHash }, options, config, context);
  });
}

/** For checks without a project, and for a few typed addresses, which are only a trial. */
const NO_QUOTA: BulkQuota = { take: async (wanted) => wanted };

// Without a project there are no lists and no rules, and so nothing that a hash could be looked up in.
const NO_LISTS = { allowList: [], blockList: [], rules: [], namedLists: {} };
const NO_HASH: KeyedHash = () => '';

async function openQuota(
  admin: Administration,
  project: Project,
  rows: number,
  { terminal }: CommandContext,
): Promise<BulkQuota> {
  const { projectQuota } = await import('@postern/service/operations/bulk-check');
  const { projectWithUsage } = await import('@postern/service/operations/change-project');
  const { quotaLimit, quotaUsed } = await projectWithUsage(admin, project);
  const left = Math.max(0, quotaLimit - quotaUsed);
  terminal.error(`${rows} rows. ${left} of ${quotaLimit} validations are left this month.\n`);
  return projectQuota(admin, project, (fault) => terminal.error(`quota.reached: ${String(fault)}\n`));
}

interface Work {
  readonly file: BulkFile | undefined;
  readonly rows: readonly { readonly email: string; readonly ip: string }[];
  readonly terms: CheckAddressTerms;
  readonly quota: BulkQuota;
  readonly keyedHash: KeyedHash;
}

interface Checked {
  readonly reports: readonly AddressReport[];
  /** Why it ended. After `quota` and `stopped`, some rows were not checked. */
  readonly end: 'done' | 'quota' | 'stopped';
  readonly data: Readonly<Record<'domains' | 'networks' | 'dns', string>>;
}

async function checkAndPrint(
  work: Work,
  options: Options,
  config: Config,
  context: CommandContext,
): Promise<void> {
  const { reports, end, data } = await checkAll(work, config, context);
  const { file, rows } = work;
  const { out, error, colors } = context.terminal;
  if (file !== undefined && options.output !== undefined) {
    const { bulkResult } = await import('@postern/service/operations/bulk-check');
    await writeResultFile(options.output, file, reports.map(bulkResult));
  }
  if (options.json) printJson(context, { results: reports, summary: summaryOf(reports), data });
  else if (options.output !== undefined) out(summaryText(reports));
  else if (file === undefined) out(reports.map((report) => reportText(report, colors)).join('\n'));
  else out(reportTable(reports, colors));
  if (!options.json)
    error(colors.dim(`Data: domains ${data.domains}, networks ${data.networks}. DNS: ${data.dns}.\n`));
  const unchecked = rows.length - reports.length;
  const rest = `${unchecked} ${unchecked === 1 ? 'row was' : 'rows were'} not checked.`;
  if (end === 'quota') throw new ExpectedError(`The project’s quota for this month is used up. ${rest}`);
  if (end === 'stopped') throw new ExpectedError(`Stopped. ${rest}`);
}

/** Checks the rows until the last one, the end of the quota or Ctrl-C. */
function checkAll(work: Work, config: Config, context: CommandContext): Promise<Checked> {
  return withChecks(config, async (parts) => {
    let interrupted = false;
    const onInterrupt = () => {
      interrupted = true;
    };
    process.once('SIGINT', onInterrupt);
    try {
      return await checkUntil(() => interrupted, parts, work, config, context);
    } finally {
      process.off('SIGINT', onInterrupt);
    }
  });
}

async function checkUntil(
  isStopped: () => boolean,
  { checks, mail, data, network }: CheckParts,
  { rows, terms, quota, keyedHash }: Work,
  config: Config,
  context: CommandContext,
): Promise<Checked> {
  const { checkLimitMs } = await import('@postern/service/open-checks');
  const { checkRows } = await import('@postern/service/operations/bulk-check');
  await mail.start();
  const parts = {
    checks,
    mailRoute: mail.route,
    network,
    keyedHash,
    now: context.now,
    runOptions: {
      limitMs: checkLimitMs(config),
      stopwatch: () => performance.now(),
      onFault: (name: string, fault: unknown) => context.terminal.error(`${name}: ${String(fault)}\n`),
    },
  };
  // A single address needs no progress bar.
  const total = rows.length > 1 ? rows.length : 0;
  const progress = createProgress(context.terminal, 'Checking', total, context.now);
  const steps = checkRows(parts, { rows, terms, quota, atOnce: AT_ONCE, leastMs: 0, isStopped });
  const reports: AddressReport[] = [];
  // Not `for await`, which would lose the value that the generator returns: why it ended.
  let step = await steps.next();
  for (; !step.done; step = await steps.next()) {
    for (const { report } of step.value) {
      reports.push(report);
      progress.advance();
    }
  }
  progress.end();
  const { status } = mail.health();
  const dns = status === 'offline' ? 'no internet access, so mail checks answer “unknown”' : 'working';
  const versions = { domains: data.domainList().version, networks: data.ipRanges().version, dns };
  return { reports, end: step.value, data: versions };
}

/** The default policy, unless a project brings its own. */
async function readTerms(options: Options): Promise<CheckAddressTerms> {
  const { parseIpAddress } = await import('@postern/service/model/ip-address');
  const { DEFAULT_POLICY } = await import('@postern/service/model/project');
  const ip = options.ip === undefined ? undefined : parseIpAddress(options.ip);
  if (options.ip !== undefined && ip === undefined)
    throw new UsageError(`--ip '${options.ip}' is not an IP address.`);
  return { ip, userAgent: options.userAgent, policy: DEFAULT_POLICY, ...NO_LISTS };
}

const VERDICTS = ['allow', 'flag', 'block', 'invalid'] as const;

function summaryOf(reports: readonly AddressReport[]): Record<(typeof VERDICTS)[number], number> {
  const count = { allow: 0, flag: 0, block: 0, invalid: 0 };
  for (const report of reports) count[report.valid ? report.recommendation : 'invalid'] += 1;
  return count;
}

function summaryText(reports: readonly AddressReport[]): string {
  const summary = summaryOf(reports);
  return `${VERDICTS.map((verdict) => `${verdict} ${summary[verdict]}`).join(', ')}\n`;
}
