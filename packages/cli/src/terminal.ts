import { pipeline } from 'node:stream/promises';
import { createColors } from 'picocolors';

export type Colors = ReturnType<typeof createColors>;

/** Where a command writes. Answers go out, everything about the answering goes to the error side. */
export interface Terminal {
  readonly out: (text: string) => void;
  /** Writes no faster than it is read, and stops when nobody reads on. */
  readonly outAll: (lines: AsyncIterable<string>) => Promise<void>;
  readonly error: (text: string) => void;
  readonly colors: Colors;
  /** Whether a person watches the error side: progress bars are for people. */
  readonly interactive: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function createTerminal(
  output: NodeJS.WriteStream,
  errors: NodeJS.WriteStream,
  environment: Environment,
): Terminal {
  return {
    out: (text) => output.write(text),
    outAll: (lines) =>
      pipeline(lines, output, { end: false }).catch((error: NodeJS.ErrnoException) => {
        // `| head` has what it wanted.
        if (error.code !== 'EPIPE') throw error;
      }),
    error: (text) => errors.write(text),
    colors: createColors(wantsColors(output.isTTY, environment)),
    interactive: errors.isTTY === true && environment.TERM !== 'dumb',
  };
}

/** Colours are for people at a terminal, unless they said otherwise (https://no-color.org). */
function wantsColors(isTerminal: boolean | undefined, environment: Environment): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return true;
  return isTerminal === true && environment.TERM !== 'dumb';
}
