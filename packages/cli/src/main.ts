import { randomBytes } from 'node:crypto';
import { FULL_VERSION } from '@postern/service/version';
import type { CommandContext } from './command-context.ts';
import { createProgram } from './create-program.ts';
import { type ExitCode, failureOf } from './failure.ts';
import { createTerminal } from './terminal.ts';

const PATIENCE_MS = 30_000;

/** Runs one command line and returns its exit code. */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<ExitCode> {
  return runCommand(args, {
    terminal: createTerminal(process.stdout, process.stderr, process.env),
    environment: process.env,
    input: process.stdin,
    now: Date.now,
    randomBytes,
    version: FULL_VERSION,
    patienceMs: PATIENCE_MS,
  });
}

export async function runCommand(args: readonly string[], context: CommandContext): Promise<ExitCode> {
  try {
    await createProgram(context).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    const { exitCode, message } = failureOf(error);
    const { colors } = context.terminal;
    if (message !== undefined) context.terminal.error(`${colors.red('postern:')} ${message}\n`);
    return exitCode;
  }
}
