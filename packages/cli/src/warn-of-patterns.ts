import type { CommandContext } from './command-context.ts';

/** Tells of allowed domains that let in more than they seem to; they are taken all the same. */
export async function warnOfPatterns(
  { terminal }: CommandContext,
  patterns: readonly string[] = [],
): Promise<void> {
  const { patternWarning } = await import('@postern/service/administration/allowed-domains');
  for (const pattern of patterns) {
    const warning = patternWarning(pattern);
    if (warning !== undefined) terminal.error(`${terminal.colors.yellow('Warning')}: ${warning}\n`);
  }
}
