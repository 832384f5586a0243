import { frameworkSteps, stepsMarkdown } from '@postern/contract/framework-steps';
import {
  installLines,
  PLACEHOLDER_DATA,
  type SdkManifest,
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

interface SnippetOptions extends Options {
  readonly framework?: string;
  readonly project: string;
  readonly clientKey: string;
  readonly serverKey: string;
}

const URL_OPTION = ['--url <url>', 'the service’s address as browsers and backends see it'] as const;

export function addSdk(parent: Command, context: CommandContext): void {
  const sdk = parent
    .command('sdk')
    .summary('show how to put Postern into a form')
    .description('Prints a script tag with its integrity hash, and the install command of each SDK package.')
    .option(...URL_OPTION)
    .option('--json', 'print one JSON document')
    .action((options: Options) => printSdk(options, context));
  sdk
    .command('snippet')
    .summary('print the steps and the code for a framework')
    .description(
      'Prints what to install, the environment variables and each file, with this service’s address filled in. Without --framework it lists the frameworks.',
    )
    .option('--framework <name>', 'your framework, such as next or express')
    .option('--project <id>', 'the project’s ID', 'YOUR_PROJECT_ID')
    .option('--client-key <key>', 'the key for the page', 'YOUR_CLIENT_KEY')
    .option('--server-key <key>', 'the key for the backend', 'YOUR_SERVER_KEY')
    .option(...URL_OPTION)
    .option('--json', 'print one JSON document')
    // Both commands have --url and --json: whichever side they stand on.
    .action((_options, command: Command) => printSnippet(command.optsWithGlobals(), context));
}

async function printSdk(options: Options, context: CommandContext): Promise<void> {
  const { manifest, url } = await readSdks(options, context);
  const script = scriptTag(url, manifest, PLACEHOLDER_DATA);
  const install = sdkPackages(manifest).map((file) => [file.name, installLines(url, file).npm] as const);
  if (options.json) {
    return printJson(context, { version: manifest.version, script, install: Object.fromEntries(install) });
  }
  const { out, colors } = context.terminal;
  out(`${colors.bold('In a page, without a bundler:')}\n\n  ${script}\n`);
  for (const [name, command] of install) out(`\n${colors.bold(name)}\n\n  ${command}\n`);
  out(`\n${url}/sdk shows these lines as a page, for pnpm, yarn and bun too.\n`);
  out(`\n${colors.bold('All steps for your framework:')}\n\n  postern sdk snippet --framework NAME\n\n`);
  out(`${frameworkNames(manifest)}\n`);
}

async function printSnippet(options: SnippetOptions, context: CommandContext): Promise<void> {
  const { manifest, url } = await readSdks(options, context);
  const { framework, project, clientKey, serverKey } = options;
  const { out } = context.terminal;
  if (framework === undefined) {
    if (options.json)
      return printJson(
        context,
        manifest.frameworks.map(({ id, title }) => ({ id, title })),
      );
    return out(`Frameworks: ${frameworkNames(manifest)}\n`);
  }
  const guide = manifest.frameworks.find(({ id }) => id === framework.toLowerCase());
  if (guide === undefined) {
    throw new ExpectedError(`Postern does not know “${framework}”. It knows: ${frameworkNames(manifest)}`);
  }
  refuseSwappedKeys(clientKey, serverKey);
  const steps = frameworkSteps(guide, manifest, { baseUrl: url, projectId: project, clientKey, serverKey });
  if (options.json) return printJson(context, { framework: guide.id, steps });
  out(`${stepsMarkdown(steps)}\n`);
}

/** A server key in a page is a leak. */
function refuseSwappedKeys(clientKey: string, serverKey: string): void {
  if (clientKey.startsWith('pst_server_')) {
    throw new ExpectedError('--client-key is a server key, which must not get into a page.');
  }
  if (serverKey.startsWith('pst_client_')) throw new ExpectedError('--server-key is a client key.');
}

const frameworkNames = ({ frameworks }: SdkManifest) => frameworks.map(({ id }) => id).join(', ');

async function readSdks(
  options: Options,
  context: CommandContext,
): Promise<{ manifest: SdkManifest; url: string }> {
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
  return { manifest, url };
}
