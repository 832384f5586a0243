import type { Signal } from '@postern/contract';
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
  return ruleFacts({ ...row, log: row, failed, signals: row.signals.filter(isOfCheck) }, history);
}

/** Rules see the signals of checks, not those of lists, signatures and other rules. */
function isOfCheck(signal: string): boolean {
  return !OF_NO_CHECK.includes(signal) && !signal.startsWith('rule_');
}

const OF_NO_CHECK: readonly string[] = [
  'allow_listed',
  'block_listed',
  'agent_verified',
  'agent_impostor',
] satisfies Signal[];
