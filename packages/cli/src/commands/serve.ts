import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';

interface Options {
  readonly host?: string;
  readonly port?: string;
}

export function addServe(parent: Command, context: CommandContext): void {
  parent
    .command('serve')
    .summary('run the service until a signal ends it')
    .description(
      'Runs the service, as `npm start` does. On SIGTERM and Ctrl-C it finishes accepted requests first.',
    )
    .option('--host <address>', 'address to listen on, instead of POSTERN_HOST')
    .option('--port <port>', 'port to listen on, instead of POSTERN_PORT')
    .action((options: Options) => run(options, context));
}

async function run(options: Options, context: CommandContext): Promise<void> {
  const { serveWith } = await import('@postern/service/serve');
  const overrides = {
    ...(options.host === undefined ? {} : { POSTERN_HOST: options.host }),
    ...(options.port === undefined ? {} : { POSTERN_PORT: options.port }),
  };
  await serveWith({ ...context.environment, ...overrides });
}
