import { ruleSignal } from './rules.ts';

/** What decides instead of the checks: the project’s block list, its allow list, or a rule. */
export function explainOwnDecision(
  signals: readonly string[],
  rule: { readonly id: string; readonly name: string } | null,
): string | undefined {
  if (signals.includes('block_listed')) return 'It is on the project’s block list';
  if (signals.includes('allow_listed')) return 'It is on the project’s allow list';
  return rule === null ? undefined : `The rule “${rule.name}” (${ruleSignal(rule.id)}) decides`;
}
