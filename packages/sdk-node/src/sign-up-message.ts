import { CHECK_NAMES, type CheckName, NEUTRAL_MESSAGE, SIGNALS, type Signal } from '@postern/contract';

/**
 * The message for a person whose verdict was `block`. The verdict has signals but no message, so the message is that of
 * the first check that raised one of them. Only the syntax check raises no signal. The project’s own lists and
 * rules give no reason.
 */
export function signUpMessage(
  signals: readonly Signal[],
  messages: Readonly<Record<CheckName, string>>,
): string {
  if (signals.some((signal) => signal === 'block_listed' || signal.startsWith('rule_')))
    return messages[NEUTRAL_MESSAGE];
  const failed = new Set<string>();
  for (const signal of signals) {
    const row = Object.entries(SIGNALS).find(([name]) => name === signal)?.[1];
    if (row !== undefined && row.check !== null && row.checkFails !== 'never') failed.add(row.check);
  }
  const check = CHECK_NAMES.find((name) => failed.has(name)) ?? 'syntax';
  return messages[check];
}
