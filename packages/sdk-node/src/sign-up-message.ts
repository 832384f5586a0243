import { CHECK_NAMES, type CheckName, SIGNALS, type Signal } from '@postern/contract';

/**
 * The message for a person whose verdict was `block`. The verdict has signals but no message, so the message is that of
 * the first check that raised one of them. Only the syntax check raises no signal.
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
