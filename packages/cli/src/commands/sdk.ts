import type { Config } from '@postern/service/config';
import type { SdkManifest } from '@postern/service/http/routes/sdk';
import type { Command } from 'commander';
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
  const { readManifest } = await import('@postern/service/http/routes/sdk');
  // The build puts it next to the service’s own modules.
  const manifest = await readManifest(
    new URL('../../sdk/', import.meta.resolve('@postern/service/http/routes/sdk')),
  );
  if (manifest === undefined) {
    throw new ExpectedError('The SDKs are not built. Run `npm run build`, then try again.');
  }
  const url = (options.url ?? addressOf(readConfig(context.environment))).replace(/\/+$/, '');
  const lines = linesOf(manifest, url);
  if (options.json) return printJson(context, { version: manifest.version, ...lines });
  const { out, colors } = context.terminal;
  out(`${colors.bold('In a page, without a bundler:')}\n\n  ${lines.script}\n`);
  for (const [name, command] of Object.entries(lines.install)) {
    out(`\n${colors.bold(name)}\n\n  ${command}\n`);
  }
  out('\npnpm add, yarn add and bun add accept the same URLs.\n');
}

function linesOf({ version, files }: SdkManifest, url: string) {
  const script = files.find(({ file }) => file === 'postern.js');
  const packages = files.filter(({ file }) => file.endsWith('.tgz'));
  return {
    script: `<script src="${url}/sdk/postern.js?v=${version}" integrity="${script?.integrity}" crossorigin="anonymous"></script>`,
    install: Object.fromEntries(
      packages.map(({ file }) => [
        `@postern/${file.slice('postern-'.length, -`-${version}.tgz`.length)}`,
        `npm install ${url}/sdk/${file}`,
      ]),
    ),
  };
}

function addressOf({ publicUrl, host, port, tls }: Config): string {
  return publicUrl?.toString() ?? `${tls === undefined ? 'http' : 'https'}://${host}:${port}`;
}
