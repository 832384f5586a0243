import { isCheckName, isPolicySignal, SIGNALS } from '@postern/contract';
import type {
  LooseningSuggestion,
  OutcomeReportView,
  OutcomeRowView,
  OutcomeSuggestion,
} from '@postern/contract/dashboard';
import type { ProjectPolicy } from '@postern/contract/project-fields';
import type { ChangeEffect } from './outcome-report.ts';

/** With fewer known people than this, there are no suggestions; with this many fewer, it is worth saying so. */
const LEAST_KNOWN = 30;
const NEARLY_KNOWN = 10;
/** A change must hit a share of the bad that is at least this many times the share of the good. */
const LEAST_ADVANTAGE = 5;

/** Checks to block on and signals to flag that would have hit many of the bad and few of the good. Best first. */
export function suggestChanges(
  effects: readonly ChangeEffect[],
  totals: { readonly bad: number; readonly good: number },
  current: Pick<ProjectPolicy, 'actions' | 'signals'>,
  days: number,
): OutcomeSuggestion[] {
  return effects
    .filter((effect) => speaksForItself(effect, totals))
    .sort((one, other) => other.bad - one.bad || one.good - other.good)
    .flatMap((effect) => {
      const policy = changeFor(effect, current);
      if (policy === undefined) return [];
      const { kind, name, bad, good } = effect;
      const badOf = `${count(bad)} of ${count(totals.bad)} bad`;
      const goodOf = `${count(good)} of ${count(totals.good)} good sign-ups`;
      const sentence =
        kind === 'check'
          ? `Blocking on \`${name}\` would have stopped ${badOf} and ${goodOf} in ${days} days.`
          : `Flagging on \`${name}\` would have sent ${badOf} and ${goodOf} to review in ${days} days.`;
      return {
        sentence,
        kind,
        name,
        policy,
        badStopped: bad,
        badTotal: totals.bad,
        goodHit: good,
        goodTotal: totals.good,
      };
    });
}

/**
 * Checks whose people are surely less often bad than people are on average: even the upper end of the interval is below
 * the average. Those that affect the most people first.
 */
export function suggestLoosening(
  rows: readonly OutcomeRowView[],
  baseRate: number | null,
  { actions }: Pick<ProjectPolicy, 'actions'>,
): LooseningSuggestion[] {
  return rows
    .filter(({ kind, known }) => kind === 'check' && known >= LEAST_KNOWN)
    .sort((one, other) => other.known - one.known)
    .flatMap(({ name, known, bad, high }) => {
      const action = isCheckName(name) ? actions[name] : undefined;
      if (baseRate === null || high === null || high >= baseRate) return [];
      if (action !== 'block' && action !== 'flag') return [];
      const to = action === 'block' ? 'flag' : 'allow';
      const doing = action === 'block' ? 'blocks' : 'flags';
      const sentence = `\`${name}\` ${doing} ${count(known)} people whose outcome is known, and only ${count(bad)} of them are bad: ${percent(bad / known)}, against ${percent(baseRate)} of everybody.`;
      return [{ sentence, name, to, policy: { actions: { [name]: to } }, known, bad } as const];
    });
}

/** What looks as if a change were worth it, once a few more outcomes are known. */
export function nearlyKnown(
  effects: readonly ChangeEffect[],
  totals: { readonly bad: number; readonly good: number },
  current: Pick<ProjectPolicy, 'actions' | 'signals'>,
): OutcomeReportView['nearlyKnown'] {
  return effects
    .filter(({ known }) => known >= NEARLY_KNOWN && known < LEAST_KNOWN)
    .filter((effect) => hasAdvantage(effect, totals) && changeFor(effect, current) !== undefined)
    .sort((one, other) => other.known - one.known)
    .map(({ kind, name, known }) => ({ kind, name, known, needed: LEAST_KNOWN }));
}

const percent = (share: number) => `${Math.round(share * 100)}%`;

function speaksForItself(
  effect: ChangeEffect,
  totals: { readonly bad: number; readonly good: number },
): boolean {
  return effect.known >= LEAST_KNOWN && hasAdvantage(effect, totals);
}

function hasAdvantage(
  { bad, good }: ChangeEffect,
  totals: { readonly bad: number; readonly good: number },
): boolean {
  if (bad === 0) return false;
  const badShare = bad / Math.max(1, totals.bad);
  const goodShare = good / Math.max(1, totals.good);
  return badShare >= LEAST_ADVANTAGE * goodShare;
}

/** `undefined`: the policy does it already, or has no setting for it. */
function changeFor(
  { kind, name }: ChangeEffect,
  { actions, signals }: Pick<ProjectPolicy, 'actions' | 'signals'>,
): OutcomeSuggestion['policy'] | undefined {
  if (kind === 'check')
    return isCheckName(name) && actions[name] !== 'block' ? { actions: { [name]: 'block' } } : undefined;
  // A signal of a check that is off is not raised.
  if (!isPolicySignal(name) || signals[name] === 'flag' || actions[SIGNALS[name].check] === undefined)
    return undefined;
  return { signals: { [name]: 'flag' } };
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
