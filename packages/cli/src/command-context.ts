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

/** What an operation answers, with times as ISO 8601: names of times end with `At` or `Until`. */
export function printAnswer(context: Pick<CommandContext, 'terminal'>, answer: unknown): void {
  const text = JSON.stringify(answer, (name, value) =>
    typeof value === 'number' && /(?:At|Until)$/.test(name) ? new Date(value).toISOString() : value,
  );
  printJson(context, JSON.parse(text));
}

/** One JSON document, alone on standard output. */
export function printJson({ terminal }: Pick<CommandContext, 'terminal'>, value: unknown): void {
  terminal.out(`${JSON.stringify(value, null, 2)}\n`);
}
