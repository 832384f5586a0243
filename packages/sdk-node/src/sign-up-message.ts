import {
  CHECK_NAMES,
  type CheckName,
  NEUTRAL_MESSAGE,
  type Recommendation,
  SIGNALS,
  type Signal,
} from '@postern/contract';

/** Whether one of the project’s own lists or rules decided. They give no reason. */
const isOwn = (signal: Signal) => signal === 'block_listed' || signal.startsWith('rule_');

/**
 * The first check that failed, by what a verdict has: signals and a recommendation. Some signals only sometimes go with a
 * failure, and then the recommendation. Only the syntax check raises no signal.
 */
export function failedCheckOf(signals: readonly Signal[], recommendation: Recommendation): CheckName | null {
  if (signals.some(isOwn)) return null;
  const failed = new Set<string>();
  for (const signal of signals) {
    const row = Object.entries(SIGNALS).find(([name]) => name === signal)?.[1];
    if (row === undefined || row.check === null || row.checkFails === 'never') continue;
    if (row.checkFails === 'always' || recommendation !== 'allow') failed.add(row.check);
  }
  const found = CHECK_NAMES.find((name) => failed.has(name));
  return found ?? (recommendation === 'block' ? 'syntax' : null);
}

/** The message for a person whose verdict was `block`: a verdict has no message. */
export function signUpMessage(
  signals: readonly Signal[],
  messages: Readonly<Record<CheckName, string>>,
): string {
  return messages[failedCheckOf(signals, 'block') ?? NEUTRAL_MESSAGE];
}
