import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { AddressReport, CheckAddressTerms } from '@postern/service/administration/check-address';
import type { Config } from '@postern/service/config';
import type { Command } from 'commander';
import { withAdministration } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageFault } from '../failure.ts';
import { createProgress } from '../progress.ts';
import { readAddressList } from '../read-address-list.ts';
import { reportTable, reportText } from '../report-view.ts';

interface Options {
  readonly ip?: string;
  readonly userAgent?: string;
  readonly file?: string;
  readonly project?: string;
  readonly json?: true;
}

/** How many look-ups run at once. */
const PARALLEL = 64;

export function addCheck(parent: Command, context: CommandContext): void {
  parent
    .command('check [addresses...]')
    .summary('check addresses without a server, and explain each verdict')
    .description(
      'Runs the service’s own checks and says what each found, by which rule and data. Nothing is counted or remembered, and the device check needs a browser, so it does not run.',
    )
    .option('--ip <address>', 'the client’s IP address, for the ip check')
    .option('--user-agent <text>', 'the client’s User-Agent')
    .option('--file <path>', 'read addresses from a list or CSV file; "-": standard input')
    .option('--project <id>', 'use this project’s policy and lists')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  postern check jane.doe@gmail.com
  postern check someone@mailinator.com --ip 203.0.113.7
  postern check --file sign-ups.csv --json > verdicts.json`,
    )
    .action((addresses: string[], options: Options) => check(addresses, options, context));
}

async function check(typed: readonly string[], options: Options, context: CommandContext): Promise<void> {
  const addresses = [...typed, ...(options.file === undefined ? [] : await readFromFile(options.file))];
  if (addresses.length === 0) throw new UsageFault('Give at least one address, or a list with --file.');
  const { readConfig } = await import('@postern/service/config');
  const config = readConfig(context.environment);
  const terms = await readTerms(options, context);
  const { reports, data } = await checkAll(addresses, terms, config, context);

  if (options.json) {
    const count = (wanted: string) => reports.filter((report) => verdictOf(report) === wanted).length;
    const summary = {
      allow: count('allow'),
      flag: count('flag'),
      block: count('block'),
      invalid: count('invalid'),
    };
    return printJson(context, { results: reports, summary, data });
  }
  const { out, error, colors } = context.terminal;
  if (options.file === undefined) out(reports.map((report) => reportText(report, colors)).join('\n'));
  else out(reportTable(reports, colors));
  error(colors.dim(`Data: domains ${data.domains}, networks ${data.networks}. DNS: ${data.dns}.\n`));
}

async function checkAll(
  addresses: readonly string[],
  terms: CheckAddressTerms,
  config: Config,
  context: CommandContext,
): Promise<{ reports: AddressReport[]; data: Record<'domains' | 'networks' | 'dns', string> }> {
  const { openChecks } = await import('@postern/service/open-checks');
  const { checkAddress } = await import('@postern/service/administration/check-address');
  const { checks, mail, data } = await openChecks(config, () => {});
  try {
    await mail.start();
    const parts = {
      checks,
      mailRoute: mail.route,
      now: context.now,
      runOptions: {
        limitMs: config.dnsBudgetMs + 500,
        stopwatch: () => performance.now(),
        onFault: (name: string, fault: unknown) => context.terminal.error(`${name}: ${String(fault)}\n`),
      },
    };
    const progress = createProgress(
      context.terminal,
      'Checking',
      addresses.length > 1 ? addresses.length : 0,
      context.now,
    );
    const reports = await mapInParallel(addresses, PARALLEL, async (address) => {
      const report = await checkAddress(parts, address, terms);
      progress.advance();
      return report;
    });
    progress.end();
    const { status } = mail.health();
    const dns = status === 'offline' ? 'no internet access, so mail checks answer “unknown”' : 'working';
    return { reports, data: { domains: data.domainList().version, networks: data.ipRanges().version, dns } };
  } finally {
    mail.close();
    data.close();
  }
}

async function readTerms(options: Options, context: CommandContext): Promise<CheckAddressTerms> {
  const { parseIpAddress } = await import('@postern/service/model/ip-address');
  const { DEFAULT_POLICY } = await import('@postern/service/model/project');
  const ip = options.ip === undefined ? undefined : parseIpAddress(options.ip);
  if (options.ip !== undefined && ip === undefined)
    throw new UsageFault(`--ip '${options.ip}' is not an IP address.`);
  const seen = { ip, userAgent: options.userAgent };
  const { project: id } = options;
  if (id === undefined) return { ...seen, policy: DEFAULT_POLICY, allowList: [], blockList: [] };

  const { findProject } = await import('@postern/service/administration/projects');
  const { policy, allowList, blockList } = await withAdministration(context, (admin) =>
    findProject(admin, id),
  );
  return { ...seen, policy, allowList, blockList };
}

async function readFromFile(path: string): Promise<string[]> {
  try {
    return readAddressList(path === '-' ? await text(process.stdin) : await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageFault(
      `--file '${path}' cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function verdictOf(report: AddressReport): string {
  return report.valid ? report.recommendation : 'invalid';
}

async function mapInParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const pending = items.entries();
  const walk = async () => {
    for (const [index, item] of pending) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, walk));
  return results;
}
