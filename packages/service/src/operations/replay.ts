import { CHECK_NAMES, type CheckName, type Recommendation, type Signal } from '@postern/contract';
import type { Rule } from '@postern/contract/rules';
import type { Check, Finding } from '../checks/check.ts';
import { type CheckRun, type Checks, runOf } from '../checks/run-checks.ts';
import { recommend } from '../decision/decide.ts';
import { decidingRule, judgeRules } from '../decision/rules/judge-rules.ts';
import type { RuleContext } from '../decision/rules/rule-context.ts';
import { type History, judgeDevice } from '../model/history.ts';
import type { ProjectPolicy } from '../model/project.ts';
import { factsOfRow } from '../record/row-facts.ts';
import type { LogRow } from '../store/store.ts';
import { loggedRuns } from './validation-row.ts';

const LIST_SIGNALS: readonly string[] = ['allow_listed', 'block_listed'] satisfies Signal[];

/** What is replayed of a validation. Devices and networks count only as given or not. */
export type ReplayedRow = Pick<
  LogRow,
  | 'recommendation'
  | 'signals'
  | 'checksJson'
  | 'history'
  | 'deviceHash'
  | 'maskedIp'
  | 'rules'
  | 'shadowRules'
>;

/** What a validation is decided with. */
export interface ReplayTerms {
  readonly policy: ProjectPolicy;
  readonly rules: readonly Rule[];
  /** The project’s named lists at that time. */
  readonly inList: (at: number) => RuleContext['inList'];
}

export interface Replayed {
  readonly recommendation: Recommendation;
  /** Checks of the policy for which the log has too little data. They count as passed. */
  readonly unknown: readonly CheckName[];
  /** The rules that match, in their order. */
  readonly rules: readonly Rule[];
}

/**
 * Decides a logged validation again under another policy. The log kept what each check found in the request alone and
 * what the history was; each check judges both again, and the rules see what they find. What an entry of the project’s
 * lists decided stays: no policy and no rule changes it.
 */
export function replay(checks: Checks, row: ReplayedRow | LogRow, terms: ReplayTerms): Replayed {
  const { policy } = terms;
  const logged = loggedRuns(row);
  const history = historyUnder(row.history, policy);
  const runs: CheckRun[] = [];
  const unknown: CheckName[] = [];
  for (const name of CHECK_NAMES) {
    if (policy.actions[name] === undefined) continue;
    const finding = replayCheck(checks[name], runOf(logged, name)?.finding, history, policy);
    if (finding !== undefined) runs.push({ check: name, finding, latencyMs: 0 });
    else if (couldHaveRun(row, checks[name])) unknown.push(name);
  }
  const rules = matching(row, runs, history, terms);
  if (row.signals.some((signal) => LIST_SIGNALS.includes(signal)))
    return { recommendation: row.recommendation, unknown: [], rules };
  const byChecks = recommend(runs, policy.actions, policy, row.signals);
  return { recommendation: decidingRule(rules)?.then ?? byChecks, unknown, rules };
}

/** Of a person whose log rows are gone no facts are left, only which rules matched then. */
function matching(
  row: ReplayedRow | LogRow,
  runs: readonly CheckRun[],
  history: History,
  { rules, inList }: ReplayTerms,
): readonly Rule[] {
  if (rules.length === 0) return [];
  if (!('facts' in row))
    return rules.filter(({ id }) => row.rules.includes(id) || row.shadowRules.includes(id));
  const failed = runs.filter(({ finding }) => finding.result === 'failed').map(({ check }) => check);
  return judgeRules(rules, factsOfRow(row, { failed, history }), inList(row.at), row.at).matching;
}

/** `undefined` when the check did not run then and history alone does not fail it. */
function replayCheck(
  check: Check,
  logged: Finding | undefined,
  history: History,
  policy: ProjectPolicy,
): Finding | undefined {
  const alone = check.replay ? check.replay(logged, history, policy) : logged;
  const recalled = check.recall?.(alone ?? { result: 'passed' }, history) ?? alone;
  return alone !== undefined || recalled?.result === 'failed' ? recalled : undefined;
}

function historyUnder(history: History, policy: ProjectPolicy): History {
  const { device } = history;
  return { ...history, device: device && { ...device, ...judgeDevice(device, policy) } };
}

/** Whether the request had the input that the check needs. */
function couldHaveRun(row: ReplayedRow, { needs }: Check): boolean {
  if (needs === 'fingerprintHash') return row.deviceHash !== null;
  return needs !== 'ip' || row.maskedIp !== null;
}
