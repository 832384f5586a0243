import type { Terminal } from './terminal.ts';

/** What the commands get from their process. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly version: string;
  /** How long a command waits for a store that is busy or restarting. */
  readonly patienceMs: number;
}

/** One JSON document, alone on standard output. */
export function printJson({ terminal }: Pick<CommandContext, 'terminal'>, value: unknown): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}
