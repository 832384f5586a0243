import {
  ACTIONS,
  type CheckActions,
  type CheckName,
  MESSAGES,
  type MessageTone,
  type Recommendation,
  type Signal,
} from '@postern/contract';
import type { CheckRuns } from '../checks/run-checks.ts';

export interface Decision {
  readonly recommendation: Recommendation;
  readonly message: string | null;
  readonly signals: Signal[];
}

/** What the findings mean under the policy. Pure and total. */
export function decide(runs: CheckRuns, actions: CheckActions, tone: MessageTone): Decision {
  const decisive = strongestFailure(runs, actions);
  const recommendation = decisive === undefined ? 'allow' : (actions[decisive] ?? 'allow');
  return {
    recommendation,
    message: decisive === undefined || recommendation === 'allow' ? null : MESSAGES[tone][decisive],
    signals: signalsOf(runs),
  };
}

/** The recommendation alone. */
export function recommend(runs: CheckRuns, actions: CheckActions): Recommendation {
  const decisive = strongestFailure(runs, actions);
  return decisive === undefined ? 'allow' : (actions[decisive] ?? 'allow');
}

/** The failed check with the strongest action; among equals the first in the order of the checks. */
function strongestFailure(runs: CheckRuns, actions: CheckActions): CheckName | undefined {
  let decisive: CheckName | undefined;
  let strength = -1;
  for (const { check, finding } of runs) {
    if (finding.outcome !== 'failed') continue;
    const own = ACTIONS.indexOf(actions[check] ?? 'allow');
    if (own > strength) {
      strength = own;
      decisive = check;
    }
  }
  return decisive;
}

function signalsOf(runs: CheckRuns): Signal[] {
  const signals: Signal[] = [];
  for (const { finding } of runs) {
    for (const signal of finding.signals ?? []) {
      if (!signals.includes(signal)) signals.push(signal);
    }
  }
  return signals;
}
