import { pipeline } from 'node:stream/promises';
import { createColors } from 'picocolors';

export type Colors = ReturnType<typeof createColors>;

/** Where a command writes. Results go to standard output, everything else to standard error. */
export interface Terminal {
  readonly out: (text: string) => void;
  /** Writes no faster than the reader reads, and stops when the reader is gone. */
  readonly outAll: (lines: AsyncIterable<string>) => Promise<void>;
  readonly error: (text: string) => void;
  readonly colors: Colors;
  /** Whether standard error is a terminal. Progress bars are only for people. */
  readonly interactive: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function createTerminal(
  output: NodeJS.WriteStream,
  errors: NodeJS.WriteStream,
  environment: Environment,
): Terminal {
  for (const stream of [output, errors]) stream.on('error', ignoreClosedPipe);
  return {
    out: (text) => output.write(text),
    outAll: (lines) => pipeline(lines, output, { end: false }).catch(ignoreClosedPipe),
    error: (text) => errors.write(text),
    colors: createColors(wantsColors(output.isTTY, environment)),
    interactive: errors.isTTY === true && environment.TERM !== 'dumb',
  };
}

/** The reader may stop early, as `| head` does. That is not a fault. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Colours only on a terminal, unless the user switched them off (https://no-color.org) or on. */
function wantsColors(isTerminal: boolean | undefined, environment: Environment): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return true;
  return isTerminal === true && environment.TERM !== 'dumb';
}
