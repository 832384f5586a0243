import {
  INSTALL_COMMANDS,
  initCommand,
  PLACEHOLDER_DATA,
  packageSpec,
  scriptTag,
  sdkPackages,
} from '@postern/contract/sdk-files';
import type { Command } from 'commander';
import { addressOf } from '../address-of.ts';
import { type CommandContext, printJson } from '../command-context.ts';
import { ExpectedError } from '../failure.ts';

interface Options {
  readonly url?: string;
  readonly json?: true;
}

export function addSdk(parent: Command, context: CommandContext): void {
  parent
    .command('sdk')
    .summary('show how to install the SDKs from this service')
    .description('Prints a script tag with its integrity hash, and the install command of each SDK package.')
    .option('--url <url>', 'the service’s address as browsers and backends see it')
    .option('--json', 'print one JSON document')
    .action((options: Options) => printSdk(options, context));
}

async function printSdk(options: Options, context: CommandContext): Promise<void> {
  const { readConfig } = await import('@postern/service/config');
  const { readManifest } = await import('@postern/service/http/routes/sdk-files');
  // The build puts it next to the service’s own modules.
  const manifest = await readManifest(
    new URL('../../sdk/', import.meta.resolve('@postern/service/http/routes/sdk-files')),
  );
  if (manifest === undefined) {
    throw new ExpectedError('The SDKs are not built. Run `npm run build`, then try again.');
  }
  const url = (options.url ?? addressOf(readConfig(context.environment))).replace(/\/+$/, '');
  const script = scriptTag(url, manifest, PLACEHOLDER_DATA);
  const packages = sdkPackages(manifest).map((file) => [file.name, packageSpec(url, file)] as const);
  const install = packages.map(([name, spec]) => [name, `${INSTALL_COMMANDS.npm} ${spec}`] as const);
  if (options.json) {
    return printJson(context, { version: manifest.version, script, install: Object.fromEntries(install) });
  }
  const { out, colors } = context.terminal;
  out(`${colors.bold('In one command, in your project’s folder:')}\n\n  ${initCommand(url, manifest)}\n\n`);
  out(`${colors.bold('In a page, without a bundler:')}\n\n  ${script}\n`);
  for (const [name, command] of install) out(`\n${colors.bold(name)}\n\n  ${command}\n`);
  const others = Object.values(INSTALL_COMMANDS).slice(1).join(', ');
  out(`\n${others} work too. ${url}/sdk shows these lines as a page.\n`);
}
