import type { RuleFacts } from '@postern/contract/rules';
import { ruleFacts } from '../decision/rules/rule-facts.ts';
import type { History } from '../model/history.ts';
import type { LogRow } from '../store/store.ts';

/**
 * The facts of a logged validation, as its rules saw them. With another policy, its failed checks and its history may
 * be other ones.
 */
export function factsOfRow(
  row: LogRow,
  { failed = row.failed, history = row.history }: { failed?: LogRow['failed']; history?: History } = {},
): RuleFacts {
  return ruleFacts({ ...row, failed, signals: row.signals.filter(isOfCheck) }, history);
}

/** Rules see the signals of checks, not those of lists and other rules. */
function isOfCheck(signal: string): boolean {
  return signal !== 'allow_listed' && signal !== 'block_listed' && !signal.startsWith('rule_');
}
