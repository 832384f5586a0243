import type { Config } from '@postern/service/config';
import type { KeyedHash } from '@postern/service/model/keyed-hash';
import type { AddressReport, CheckAddressTerms } from '@postern/service/operations/check-address';
import type { Command } from 'commander';
import { withAdministration, withChecks } from '../administration-session.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { UsageError } from '../failure.ts';
import { reportText } from '../report-view.ts';

interface Options {
  readonly ip?: string;
  readonly userAgent?: string;
  readonly project?: string;
  readonly json?: true;
}

export function addCheck(parent: Command, context: CommandContext): void {
  parent
    .command('check <addresses...>')
    .summary('check addresses without a server, and explain each verdict')
    .description(
      'Runs the service’s own checks and says what each found, by which rule and data. Nothing is counted, logged or remembered, no history is read, and the device check needs a browser, so it does not run.',
    )
    .option('--ip <address>', 'the client’s IP address, for the ip check')
    .option('--user-agent <text>', 'the client’s User-Agent')
    .option('--project <id>', 'use this project’s policy, lists and rules')
    .option('--json', 'print one JSON document')
    .addHelpText(
      'after',
      `
Examples:
  postern check jane.doe@gmail.com
  postern check someone@mailinator.com --ip 203.0.113.7 --project shop`,
    )
    .action((addresses: string[], options: Options) => check(addresses, options, context));
}

async function check(addresses: readonly string[], options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const config = readConfig(context.environment);
  const terms = await readTerms(options);
  const { project: id } = options;
  if (id === undefined)
    return checkAndPrint({ addresses, terms, keyedHash: NO_HASH }, options, config, context);
  await withAdministration(context, async (admin) => {
    const { findProject } = await import('@postern/service/operations/change-project');
    const { instanceHash } = await import('@postern/service/operations/instance-hash');
    const { policy, allowList, blockList, rules, namedLists } = await findProject(admin, id);
    const work = {
      addresses,
      terms: { ...terms, policy, allowList, blockList, rules, namedLists },
      keyedHash: await instanceHash(admin),
    };
    await checkAndPrint(work, options, config, context);
  });
}

// Without a project there are no lists and no rules, and so nothing that a hash could be looked up in.
const NO_LISTS = { allowList: [], blockList: [], rules: [], namedLists: {} };
const NO_HASH: KeyedHash = () => '';

interface Work {
  readonly addresses: readonly string[];
  readonly terms: CheckAddressTerms;
  readonly keyedHash: KeyedHash;
}

async function checkAndPrint(
  { addresses, terms, keyedHash }: Work,
  options: Options,
  config: Config,
  context: CommandContext,
): Promise<void> {
  const { checkLimitMs } = await import('@postern/service/open-checks');
  const { checkAddress } = await import('@postern/service/operations/check-address');
  const { out, error, colors } = context.terminal;
  await withChecks(config, async ({ checks, mail, data, network }) => {
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
        onFault: (name: string, fault: unknown) => error(`${name}: ${String(fault)}\n`),
      },
    };
    const reports = await Promise.all(addresses.map((address) => checkAddress(parts, address, terms)));
    const { status } = mail.health();
    const dns = status === 'offline' ? 'no internet access, so mail checks answer “unknown”' : 'working';
    const versions = { domains: data.domainList().version, networks: data.ipRanges().version, dns };
    if (options.json)
      return printJson(context, { results: reports, summary: summaryOf(reports), data: versions });
    out(reports.map((report) => reportText(report, colors)).join('\n'));
    error(colors.dim(`Data: domains ${versions.domains}, networks ${versions.networks}. DNS: ${dns}.\n`));
  });
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

function summaryOf(reports: readonly AddressReport[]) {
  const count = { allow: 0, flag: 0, block: 0, invalid: 0 };
  for (const report of reports) count[report.valid ? report.recommendation : 'invalid'] += 1;
  return count;
}
