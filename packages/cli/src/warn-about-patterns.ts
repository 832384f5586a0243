import type { CommandContext } from './command-context.ts';

/** Warns about allowed domains that allow more than they seem to. They are accepted anyway. */
export async function warnAboutPatterns(
  { terminal }: CommandContext,
  patterns: readonly string[] = [],
): Promise<void> {
  const { patternWarning } = await import('@postern/service/operations/allowed-domains');
  for (const pattern of patterns) {
    const warning = patternWarning(pattern);
    if (warning !== undefined) terminal.error(`${terminal.colors.yellow('Warning')}: ${warning}\n`);
  }
}
