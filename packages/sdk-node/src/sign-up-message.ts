import { CHECK_NAMES, type CheckName, SIGNALS, type Signal } from '@postern/contract';

/**
 * What to tell a person whose verdict was `block`. The verdict carries signals and not the sentence, so the
 * sentence comes from the first check that they stand for; the syntax check is the one that raises none.
 */
export function signUpMessage(
  signals: readonly Signal[],
  messages: Readonly<Record<CheckName, string>>,
): string {
  const failed = new Set<string>();
  for (const signal of signals) {
    const row = Object.entries(SIGNALS).find(([name]) => name === signal)?.[1];
    if (row !== undefined && row.checkFails !== 'never') failed.add(row.check);
  }
  const check = CHECK_NAMES.find((name) => failed.has(name)) ?? 'syntax';
  return messages[check];
}
